/** /guided: from everything to single resources by choices; /api/guided: its forms, for other servers too. */
import { z } from '@hono/zod-openapi';
import type { Viewer } from '../core/access.ts';
import { GarnerError } from '../core/errors.ts';
import {
  choose,
  queryOf,
  readChoices,
  settledNames,
  withChoices,
  withinChoices,
  writeChoices,
} from '../federate/guided/choices.ts';
import { formSchema, type GuidedAttribute, type GuidedForm } from '../federate/guided/form.ts';
import type { GuidedSearch } from '../federate/guided/guided-search.ts';
import type { Network } from '../federate/network/network.ts';
import type { PortalAssets } from '../portal/assets.ts';
import { elementHref } from '../portal/dictionary-page.ts';
import { renderGuidedPage } from '../portal/guided-page.ts';
import type { QueryNode } from '../query/ast.ts';
import { parseDis } from '../query/dis/parse-dis.ts';
import { writeDis } from '../query/dis/write-dis.ts';
import { type ApiApp, addGetRoute } from './api-route.ts';
import { type HttpContext, signedInAs } from './context.ts';
import type { HttpDeps } from './deps.ts';
import { asMistake } from './expression-mistake.ts';
import { siteFor } from './site.ts';
import { findUnknownAttribute } from './unknown-attribute.ts';

/** So few are shown without being asked for. */
const FEW = 10;
const MOST_PROFILES = 50;
/** On the page of the query server. */
const MOST_ON_ONE_PAGE = '1000';
const MOST_LENGTH = 10_000;

export interface GuidedRoutesDeps {
  readonly guided: GuidedSearch;
  readonly network: Network;
}

const flag = z
  .enum(['true', 'false'])
  .default('false')
  .transform((text) => text === 'true');

export function addGuidedRoutes(
  app: ApiApp,
  deps: HttpDeps,
  { guided, network }: GuidedRoutesDeps,
  assets: PortalAssets,
): void {
  const answerForm = async (expression: string, viewer: Viewer, signal: AbortSignal) => {
    try {
      const choices = readChoices(expression);
      return { choices, ...(await guided.ask(queryOf(choices), viewer, signal)) };
    } catch (thrown) {
      return { choices: [], form: { total: 0, attributes: [] }, servers: [], mistake: asMistake(thrown) };
    }
  };

  app.get('/guided', async (c) => {
    const expression = expressionOf(c);
    const added = readAdded(c);
    if (added) return c.redirect(hrefOf(withChoices(readChoices(expression), added)), 303);
    const { signal } = c.req.raw;
    const viewer = c.get('viewer');
    const asked = c.req.query('show') === 'profiles';
    const { choices, form, servers, mistake } = await answerForm(expression, viewer, signal);
    const query = queryOf(choices);
    const levels = deps.federation?.profiles.aggregates.levels ?? [];
    const attributes = leadingAttributes(form, choices, levels);
    const shown = asked || (choices.length > 0 && form.total > 0 && form.total <= FEW);
    const found = shown ? await collect(query, viewer, signal) : undefined;
    const isUnknown = form.total === 0 && !mistake && choices.length > 0;
    const unknown = isUnknown ? findUnknownAttribute(parseDis(expression), deps) : undefined;
    const index = deps.elements?.vocabulary.dictionaries.index();
    return c.html(
      renderGuidedPage({
        site: siteFor(c, deps, assets),
        expression: mistake ? expression : writeChoices(choices),
        note: mistake ?? unknown,
        isMistaken: mistake !== undefined,
        steps: choices.map((choice, i) => ({
          text: writeDis(choice),
          untilHref: hrefOf(choices.slice(0, i + 1)),
          withoutHref: hrefOf(choices.toSpliced(i, 1)),
        })),
        form,
        attributes,
        hrefOf: (name, value) => hrefOf(withChoices(choices, [choose(name, '=', value)])),
        spanHrefOf: (name, from, below) =>
          hrefOf(withChoices(choices, [choose(name, '>=', from), choose(name, '<', below)])),
        elementHrefOf: (name) => {
          const key = index?.lookUp(name)[0]?.entry.key;
          return key === undefined ? undefined : elementHref(key);
        },
        ...(found && { found }),
        profilesHref: `/guided?${new URLSearchParams({ q: writeChoices(choices), show: 'profiles' })}`,
        allHref: `/query?${new URLSearchParams({ q: writeChoices(choices), limit: MOST_ON_ONE_PAGE })}`,
        servers,
        isGathering: deps.federation?.profiles.aggregates.isCurrent === false,
        signedInAs: signedInAs(c),
      }),
      mistake ? 400 : 200,
    );
  });

  addGetRoute(
    app,
    {
      path: '/api/guided',
      tag: 'Profiles',
      summary: 'What can be chosen next',
      description:
        'Attributes of the resources that match, with their values, ranges and counts, over the network of servers.',
      query: z.strictObject({
        q: z.string().max(MOST_LENGTH).default('').openapi({
          description: 'A DIS expression; without it everything matches.',
          example: 'MISSION_NAME = GALILEO',
        }),
        local: flag.openapi({ description: 'Only of this server.' }),
        exact: flag.openapi({ description: 'Without synonyms and what the ontology has below a term.' }),
      }),
      answer: { description: 'The form.', schema: formSchema },
    },
    async (c, { q, local, exact }) => {
      const query = queryOf(readChoices(q));
      const viewer = c.get('viewer');
      if (local) return c.json(await guided.local(query, viewer, exact));
      const { form, servers } = await guided.ask(query, viewer, c.req.raw.signal);
      return c.json({ ...form, servers });
    },
  );

  async function collect(query: QueryNode, viewer: Viewer, signal: AbortSignal) {
    return (await network.collect({ query, limit: MOST_PROFILES }, viewer, signal)).profiles;
  }
}

function expressionOf(c: HttpContext): string {
  const expression = c.req.query('q') ?? '';
  if (expression.length <= MOST_LENGTH) return expression;
  throw new GarnerError('request.invalid', `an expression has at most ${MOST_LENGTH} characters`);
}

const hrefOf = (choices: readonly QueryNode[]): string =>
  choices.length === 0 ? '/guided' : `/guided?${new URLSearchParams({ q: writeChoices(choices) })}`;

/** What a form of one attribute adds; undefined when none was sent. */
function readAdded(c: HttpContext): QueryNode[] | undefined {
  const name = (c.req.query('attribute') ?? '').trim().slice(0, 200);
  if (name === '') return undefined;
  const given = (parameter: string) => (c.req.query(parameter) ?? '').trim().slice(0, 500);
  const [from, to, is] = [given('from'), given('to'), given('is')];
  return [
    ...(from === '' ? [] : [choose(name, '>=', from)]),
    ...(to === '' ? [] : [choose(name, '<=', to)]),
    ...(is === '' ? [] : [choose(name, '=', is)]),
  ];
}

/** Without those that are chosen, and those that all matches have in common; those of the levels first. */
function leadingAttributes(
  { attributes, total }: GuidedForm,
  choices: readonly QueryNode[],
  levels: readonly string[],
): GuidedAttribute[] {
  // One resource is not told apart from others.
  if (total === 1) return [];
  const settled = settledNames(choices);
  const order = new Map(levels.map((level, i) => [level.toUpperCase(), i]));
  const placeOf = ({ name }: GuidedAttribute) => order.get(name) ?? levels.length;
  return attributes
    .filter(
      (attribute) => !settled.has(attribute.name) && (choices.length === 0 || !isShared(attribute, total)),
    )
    .map((attribute) => withinChoices(attribute, choices))
    .toSorted((a, b) => placeOf(a) - placeOf(b));
}

/** All matches have the same value. */
function isShared({ values, moreValues, numbers, dates }: GuidedAttribute, total: number): boolean {
  const [only, second] = values;
  if (second || moreValues || dates) return false;
  if (!numbers) return only?.count === total;
  return (
    !only && numbers.min === numbers.max && numbers.steps.length === 1 && numbers.steps[0]?.count === total
  );
}
