/** /dictionary and /dictionary/{element}: data elements for people. */
import type { Hono } from 'hono';
import type { AccessRule } from '../core/access.ts';
import { mayRead } from '../core/access-match.ts';
import { GarnerError } from '../core/errors.ts';
import { elementKey } from '../federate/dictionary/data-element.ts';
import { describePath } from '../federate/ontology/infer-attributes.ts';
import type { Vocabulary } from '../federate/vocabulary.ts';
import type { PortalAssets } from '../portal/assets.ts';
import { elementHref, renderDictionaryPage } from '../portal/dictionary-page.ts';
import { renderElementPage } from '../portal/element-page.ts';
import { type HttpContext, type HttpEnv, signedInAs } from './context.ts';
import type { HttpDeps } from './deps.ts';
import { siteFor } from './site.ts';

export interface VocabularyRoutesDeps {
  readonly vocabulary: Vocabulary;
  readonly access: AccessRule;
}

const PAGE = 100;

/** As if there were nothing, for whoever may read nothing. */
export function assertMayReadElements(c: HttpContext, access: AccessRule): void {
  if (!mayRead(access, c.get('viewer')))
    throw new GarnerError('request.unknown', `there is nothing at ${c.req.path}`);
}

export function addDictionaryPages(
  app: Hono<HttpEnv>,
  deps: HttpDeps,
  { vocabulary, access }: VocabularyRoutesDeps,
  assets: PortalAssets,
): void {
  const { dictionaries } = vocabulary;
  const findClasses = createClassFinder(vocabulary);

  app.get('/dictionary', (c) => {
    assertMayReadElements(c, access);
    const index = dictionaries.index();
    const text = (c.req.query('q') ?? '').slice(0, 200);
    const dictionary = c.req.query('dictionary') || undefined;
    const from = Math.max(0, Number.parseInt(c.req.query('from') ?? '0', 10) || 0);
    const found = index
      .search(text)
      .filter((entry) => dictionary === undefined || entry.dictionary === dictionary);
    const more = new URLSearchParams({
      ...(text !== '' && { q: text }),
      ...(dictionary !== undefined && { dictionary }),
      from: String(from + PAGE),
    });
    return c.html(
      renderDictionaryPage({
        site: siteFor(c, deps, assets),
        dictionaries: index.dictionaries,
        text,
        dictionary,
        found: found.slice(from, from + PAGE),
        total: found.length,
        moreHref: found.length > from + PAGE ? `/dictionary?${more}` : undefined,
        signedInAs: signedInAs(c),
      }),
    );
  });

  app.get('/dictionary/:element', (c) => {
    assertMayReadElements(c, access);
    const name = c.req.param('element');
    const found = dictionaries.getElements(name);
    const index = dictionaries.index();
    return c.html(
      renderElementPage({
        site: siteFor(c, deps, assets),
        name,
        found,
        dictionaries: index.dictionaries,
        hrefOf: (other) => {
          const key = index.lookUp(other)[0]?.entry.key;
          return key === undefined ? undefined : elementHref(key);
        },
        classes: findClasses(name),
        signedInAs: signedInAs(c),
      }),
    );
  });
}

const MOST_CLASSES = 50;
/** Of larger ontologies only the classes that have the attribute themselves are told. */
const MOST_INFERRED_FOR = 2000;

/** The classes of the ontology that have or infer an attribute; own ones first. Worked out when first asked for. */
function createClassFinder(vocabulary: Vocabulary) {
  const { ontology, hierarchy } = vocabulary;
  type Place = { readonly label: string; readonly path: string };
  let byKey: Map<string, Place[]> | undefined;

  function* listPlaces(): Generator<readonly [name: string, place: Place]> {
    if (ontology.classes.size > MOST_INFERRED_FOR) {
      for (const { name, domains } of ontology.attributes.values())
        for (const iri of domains) yield [name, { label: hierarchy.get(iri)?.label ?? iri, path: '' }];
      return;
    }
    for (const { iri, label } of ontology.classes.values())
      for (const { attribute, path } of vocabulary.inferAttributes(iri))
        yield [attribute.name, { label, path: describePath(hierarchy, path) }];
  }

  return (name: string) => {
    if (!byKey) {
      byKey = new Map();
      for (const [attribute, place] of listPlaces()) {
        const key = elementKey(attribute);
        const known = byKey.get(key);
        if (known) known.push(place);
        else byKey.set(key, [place]);
      }
    }
    const found = byKey.get(elementKey(name)) ?? [];
    return found.toSorted((a, b) => a.path.length - b.path.length).slice(0, MOST_CLASSES);
  };
}
