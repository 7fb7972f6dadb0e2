/** Looks whether a provider answers, and whether it has what the source wants, without harvesting. */
import { createHttpClient, type HttpPolicy } from '../http/index.ts';
import { createOaiConnection } from './connection.ts';
import { identify, listFormats, listSets, type OaiFormatInfo, type OaiIdentity } from './identify.ts';
import type { OaiSource } from './source.ts';

export interface OaiProbe {
  readonly identity: OaiIdentity;
  readonly formats: readonly OaiFormatInfo[];
  /** What will not work, in words. */
  readonly mistakes: readonly string[];
}

export async function probeOai(
  source: Pick<OaiSource, 'url' | 'prefixes' | 'sets'>,
  policy: HttpPolicy,
): Promise<OaiProbe> {
  const client = createHttpClient(policy);
  try {
    const connection = createOaiConnection(client, source.url, { fetchMs: 0 });
    const identity = await identify(connection);
    const formats = await listFormats(connection);
    const mistakes = Object.keys(source.prefixes)
      .filter((prefix) => !formats.some((format) => format.prefix === prefix))
      .map(
        (prefix) => `it has no format ${prefix}; it has ${formats.map((format) => format.prefix).join(', ')}`,
      );
    if (source.sets && !identity.isStatic) {
      const known = new Set((await listSets(connection)).map(({ spec }) => spec));
      mistakes.push(...source.sets.filter((set) => !known.has(set)).map((set) => `it has no set ${set}`));
    }
    return { identity, formats, mistakes };
  } finally {
    client.close();
  }
}
