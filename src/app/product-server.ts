/** The product server of this installation: its items, and what the config names beside them. */
import type { Garner } from '../app.ts';
import type { AccessRule } from '../core/access.ts';
import type { Config } from '../core/config.ts';
import { openConversions } from '../federate/convert/conversions.ts';
import type { Profiles } from '../federate/profiles.ts';
import { createFolderHandler } from '../federate/servers/folder-handler.ts';
import { createHttpHandler, type HttpHandlerOptions } from '../federate/servers/http-handler.ts';
import { loadModuleHandler } from '../federate/servers/module-handler.ts';
import type { ProductHandler } from '../federate/servers/product.ts';
import { createProductServer, type ProductServer } from '../federate/servers/product-server.ts';
import { createSqlHandler } from '../federate/servers/sql-handler.ts';
import { createStoreHandler } from '../federate/servers/store-handler.ts';
import { mapHosts } from '../net/host-map.ts';
import { userAgent } from '../net/user-agent.ts';

/** To be closed. `baseUrl`: where Garner is found. */
export async function openProductServer(
  { store, formats, config }: Garner,
  profiles: Profiles,
  baseUrl: string,
): Promise<ProductServer> {
  const agent = userAgent({ url: baseUrl, email: config.repository.adminEmail });
  const web = { userAgent: agent, hosts: mapHosts(config.net.hosts) };
  const configured = await Promise.all(
    Object.entries(config.federate.servers).map(([name, server]) =>
      openHandler(name, server, config.access.default, web),
    ),
  );
  const items = createStoreHandler({ store, formats, profiles, baseUrl, dataFolder: config.data });
  // What is in the config answers by the form of a question alone, so it is asked first.
  return createProductServer([...configured, items], openConversions(config.federate.conversions));
}

async function openHandler(
  name: string,
  server: Config['federate']['servers'][string],
  everybody: AccessRule,
  web: Pick<HttpHandlerOptions, 'userAgent' | 'hosts'>,
): Promise<ProductHandler> {
  const access = server.access ?? everybody;
  switch (server.kind) {
    case 'folder':
      return createFolderHandler({ ...server, name, access });
    case 'http':
      return createHttpHandler({ ...server, ...web, name, access });
    case 'sql':
      return createSqlHandler({ ...server, name, access });
    case 'module':
      return loadModuleHandler({ ...server, name, access });
  }
}
