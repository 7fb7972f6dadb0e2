import { OPERATOR } from '../../core/access.ts';
import { GarnerError } from '../../core/errors.ts';
import { answerJson } from '../../http/item-json.ts';
import { EMPTY_STATE, readFacet, readQuestion } from '../../http/search-request.ts';
import { openForVerb } from '../open.ts';
import { formatCount } from '../terminal.ts';
import { listOption, textOption, type Verb } from '../verb.ts';

export const searchVerb: Verb = {
  name: 'search',
  summary: 'search everything, in the same words as the portal',
  usage:
    'search QUERY [--view NAME] [--source NAME]… [--sort FIELD] [--facet FIELD]… [--limit N] [--after CURSOR]',
  options: {
    view: { type: 'string', value: 'NAME', help: 'only items of this view' },
    source: { type: 'string', multiple: true, value: 'NAME', help: 'only items of this source (repeatable)' },
    sort: { type: 'string', value: 'FIELD', help: 'title, date, updated …; -FIELD for descending' },
    facet: {
      type: 'string',
      multiple: true,
      value: 'FIELD[:N]',
      help: 'count the values of this field (repeatable)',
    },
    fields: { type: 'string', value: 'A,B', help: 'only these stored fields' },
    raw: { type: 'boolean', help: 'with the stored XML or JSON (in --json)' },
    limit: { type: 'string', value: 'N', help: 'how many (default 10, at most 100)' },
    after: { type: 'string', value: 'CURSOR', help: 'the next page: what the previous one called "next"' },
  },
  examples: [
    'garner search "sea ice"',
    "garner search 'title:cloud* date:[2004 TO 2006]' --facet subject --json",
  ],
  async run({ positionals, values, terminal }) {
    await using garner = await openForVerb(values, terminal);
    const [sort, view, after, fields] = ['sort', 'view', 'after', 'fields'].map((name) =>
      textOption(values, name),
    );
    const answer = await garner.store.search.search(
      {
        ...readQuestion(
          {
            ...EMPTY_STATE,
            q: positionals.join(' ').trim(),
            sources: listOption(values, 'source'),
            ...(sort !== undefined && { sort }),
            ...(view !== undefined && { view }),
          },
          garner.catalogue,
        ),
        limit: readLimit(textOption(values, 'limit')),
        facets: listOption(values, 'facet').map(readFacet),
        raw: values.raw === true,
        ...(after !== undefined && { after }),
        ...(fields !== undefined && { fields: fields.split(',').map((name) => name.trim()) }),
      },
      OPERATOR,
    );
    terminal.answer(answerJson(answer, garner.config.repository.baseUrl));
    terminal.say(`${formatCount(answer.total)} ${answer.total === 1 ? 'item' : 'items'}`);
    for (const hit of answer.hits) {
      const date = hit.fields.date?.[0];
      terminal.say(`  ${hit.title ?? '(no title)'}${typeof date === 'string' ? `, ${date}` : ''}`);
      terminal.say(`    ${hit.source}  ${hit.identifier}`);
    }
    for (const [field, counts] of Object.entries(answer.facets)) {
      terminal.say(
        `${field}: ${counts.map(({ value, count }) => `${value} (${formatCount(count)})`).join(', ')}`,
      );
    }
    for (const note of answer.notes) terminal.warn(`note: ${note}`);
    if (answer.next !== undefined) terminal.say(`more: --after ${answer.next}`);
    return 0;
  },
};

const MOST_HITS = 100;

function readLimit(text: string | undefined): number {
  const limit = Number(text ?? 10);
  if (!Number.isInteger(limit) || limit < 0 || limit > MOST_HITS) {
    throw new GarnerError('usage.invalid', `--limit takes a whole number up to ${MOST_HITS}, not "${text}"`);
  }
  return limit;
}
