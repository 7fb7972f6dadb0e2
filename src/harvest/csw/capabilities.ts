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
  /** What it can be asked by: names as it writes them, `apiso:` before those of the ISO profile. */
  readonly queryables: readonly string[];
  /** It knows “greater than or equal”. */
  readonly comparesOrder: boolean;
}

// By local names: services of all ages announce themselves in three versions of OWS.
const operation = `//*[local-name()='Operation'][@name='GetRecords']`;
const TITLE = compilePath(`string(//*[local-name()='ServiceIdentification']/*[local-name()='Title'])`, {});
const ROOT = compilePath('local-name(/*)', {});
const SCHEMAS = compilePath(
  `${operation}/*[local-name()='Parameter'][translate(@name,'OUTPSCHEMA','outpschema')='outputschema']//*[local-name()='Value']`,
  {},
);
const queryables = (condition: string) =>
  compilePath(`${operation}/*[local-name()='Constraint'][${condition}]//*[local-name()='Value']`, {});
const ISO_QUERYABLES = queryables(`contains(@name, 'ISOQueryables')`);
const OTHER_QUERYABLES = queryables(`not(contains(@name, 'ISOQueryables'))`);
const COMPARISONS = compilePath(
  `//*[local-name()='Filter_Capabilities']//*[local-name()='ComparisonOperator' or local-name()='Simple_Comparisons']`,
  {},
);
const ORDER = /greater_?than_?(?:or_?)?equal/i;
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
  const iso = document.evaluate(ISO_QUERYABLES).map((name) => (name.includes(':') ? name : `apiso:${name}`));
  const near = (links: readonly string[]) => links.find((href) => isSameHost(url, href));
  return {
    title: document.evaluate(TITLE)[0],
    postUrl: near(document.evaluate(POST)),
    getUrl: near(document.evaluate(GET)),
    outputSchemas: document.evaluate(SCHEMAS),
    queryables: [...iso, ...document.evaluate(OTHER_QUERYABLES)],
    // An empty <Simple_Comparisons/> stands for all six of them (Filter 1.0).
    comparesOrder: document.evaluate(COMPARISONS).some((name) => name.trim() === '' || ORDER.test(name)),
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

/** The property that tells when a record was changed, where one can ask for what came after. */
export function findModified(
  { queryables, comparesOrder }: CswCapabilities,
  typeNames: string,
): string | undefined {
  if (!comparesOrder) return undefined;
  const offered = (name: string) =>
    queryables.some((known) => known.trim().toLowerCase() === name.toLowerCase());
  const iso = offered('apiso:Modified') ? 'apiso:Modified' : undefined;
  const core = offered('dct:modified') || offered('modified') ? 'dct:modified' : undefined;
  return /\bcsw:Record\b/.test(typeNames) ? (core ?? iso) : (iso ?? core);
}
