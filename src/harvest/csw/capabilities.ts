/** GetCapabilities: where and how a catalogue wants to be asked, and in which schemas it answers. */
import { GarnerError } from '../../core/errors.ts';
import { compilePath, parseXml } from '../../xml/engine.ts';
import type { HttpClient } from '../http/index.ts';
import { withParameters } from '../remote/with-parameters.ts';
import { notResults } from './answer.ts';

const MAX_BYTES = 16 * 1024 * 1024;
export const CSW_NAMESPACE = 'http://www.opengis.net/cat/csw/2.0.2';
export const GMD_NAMESPACE = 'http://www.isotc211.org/2005/gmd';

export interface CswCapabilities {
  readonly title: string | undefined;
  readonly postUrl: string | undefined;
  readonly getUrl: string | undefined;
  readonly outputSchemas: readonly string[];
}

// By local names: services of all ages announce themselves in three versions of OWS.
const operation = `//*[local-name()='Operation'][@name='GetRecords']`;
const TITLE = compilePath(`string(//*[local-name()='ServiceIdentification']/*[local-name()='Title'])`, {});
const ROOT = compilePath('local-name(/*)', {});
const SCHEMAS = compilePath(
  `${operation}/*[local-name()='Parameter'][translate(@name,'OUTPSCHEMA','outpschema')='outputschema']//*[local-name()='Value']`,
  {},
);
const link = (method: string) =>
  compilePath(`${operation}//*[local-name()='HTTP']/*[local-name()='${method}']/@*[local-name()='href']`, {});
const POST = link('Post');
const GET = link('Get');

export async function readCapabilities(
  client: HttpClient,
  url: string,
  signal?: AbortSignal,
): Promise<CswCapabilities> {
  const address = withParameters(url, { service: 'CSW', request: 'GetCapabilities', version: '2.0.2' });
  const { bytes } = await client.read({ url: address, ...(signal && { signal }) }, MAX_BYTES);
  const head = Buffer.from(bytes).subarray(0, 4096).toString();
  if (!/<(?:[\w.-]+:)?Capabilities\b/.test(head)) throw notResults(bytes, head, address);
  using document = parseXml(bytes);
  if (document.evaluate(ROOT)[0] !== 'Capabilities')
    throw new GarnerError('source.answer', `no capabilities of a catalogue at ${address}`);
  const near = (links: readonly string[]) => links.find((href) => isSameHost(url, href));
  return {
    title: document.evaluate(TITLE)[0],
    postUrl: near(document.evaluate(POST)),
    getUrl: near(document.evaluate(GET)),
    outputSchemas: document.evaluate(SCHEMAS),
  };
}

/** Catalogues behind proxies announce addresses that only they can reach. */
function isSameHost(url: string, href: string): boolean {
  return URL.canParse(href) && new URL(href).host === new URL(url).host;
}

/** What to ask for when the configuration does not say. */
export function chooseSchema({ outputSchemas }: CswCapabilities): string {
  return outputSchemas.includes(GMD_NAMESPACE) ? GMD_NAMESPACE : CSW_NAMESPACE;
}
