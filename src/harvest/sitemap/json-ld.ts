/** The schema.org descriptions inside a web page: its JSON-LD scripts, one record per thing described. */
import { Parser } from 'htmlparser2';

/** Types that describe the page and its owner, not a subject of its own. */
const FURNITURE: ReadonlySet<string> = new Set([
  'BreadcrumbList',
  'ItemList',
  'ListItem',
  'WebSite',
  'WebPage',
  'CollectionPage',
  'AboutPage',
  'ContactPage',
  'SearchResultsPage',
  'SearchAction',
  'Organization',
  'Corporation',
  'EducationalOrganization',
  'GovernmentOrganization',
  'NGO',
  'Person',
  'ImageObject',
  'SiteNavigationElement',
  'WPHeader',
  'WPFooter',
]);

const SCHEMA_ORG = /\bschema\.org\b/;

export interface JsonLdFindings {
  readonly things: readonly unknown[];
  /** Scripts that are not JSON. */
  readonly broken: number;
}

export function findJsonLd(page: string, types?: readonly string[]): JsonLdFindings {
  let broken = 0;
  const things: unknown[] = [];
  for (const script of readScripts(page)) {
    try {
      collect(JSON.parse(stripWrapping(script)), undefined, things);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      broken++;
    }
  }
  return { things: things.filter((thing) => isWanted(thing, types)), broken };
}

/** Some systems wrap their scripts in comments or CDATA marks. */
function stripWrapping(script: string): string {
  return script
    .replace(/^\s*(?:\/\/\s*)?(?:<!--|<!\[CDATA\[|\/\*\s*<!\[CDATA\[\s*\*\/)/, '')
    .replace(/(?:\/\/\s*)?(?:-->|\]\]>|\/\*\s*\]\]>\s*\*\/)\s*;?\s*$/, '')
    .trim();
}

function readScripts(page: string): string[] {
  const scripts: string[] = [];
  let inside = false;
  const parser = new Parser({
    onopentag: (name, attributes) => {
      inside = name === 'script' && /^\s*application\/ld\+json\b/i.test(attributes.type ?? '');
      if (inside) scripts.push('');
    },
    ontext: (text) => {
      if (inside) scripts.push((scripts.pop() ?? '') + text);
    },
    onclosetag: (name) => {
      if (name === 'script') inside = false;
    },
  });
  parser.end(page);
  return scripts;
}

/** A thing, a list of things, or a graph of them; each takes the context of what it stands in. */
function collect(value: unknown, context: unknown, things: unknown[]): void {
  if (Array.isArray(value)) {
    for (const one of value) collect(one, context, things);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  const own = '@context' in value ? value['@context'] : context;
  if ('@graph' in value) collect(value['@graph'], own, things);
  else if (SCHEMA_ORG.test(JSON.stringify(own ?? '')))
    things.push('@context' in value ? value : { '@context': own, ...value });
}

function isWanted(thing: unknown, types: readonly string[] | undefined): boolean {
  const names = typesOf(thing);
  if (types) return names.some((name) => types.includes(name));
  return names.length > 0 && !names.every((name) => FURNITURE.has(name));
}

/** Without the vocabulary's prefix or address. */
function typesOf(thing: unknown): string[] {
  if (typeof thing !== 'object' || thing === null || !('@type' in thing)) return [];
  const types: unknown[] = [thing['@type']].flat();
  return types.filter((type) => typeof type === 'string').map((type) => type.replace(/^.*[/:#]/, ''));
}
