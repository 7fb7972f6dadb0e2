import { createPdfReader } from '../../archive/content/index.ts';
import { judgeCaptures } from '../../archive/items/index.ts';
import { GarnerError } from '../../core/errors.ts';
import { withRun } from '../../harvest/with-run.ts';
import { openForVerb } from '../open.ts';
import { formatCount } from '../terminal.ts';
import type { Verb } from '../verb.ts';

export const judgeVerb: Verb = {
  name: 'judge',
  summary: 'judge again what archived pages say of themselves, also those that came before there were rules',
  usage: 'judge [SOURCE…]',
  options: {},
  examples: ['garner judge', 'garner judge election'],
  async run({ positionals, values, terminal, signal }) {
    await using garner = await openForVerb(values, terminal);
    const { store, formats, config } = garner;
    const known = (await store.items.listSources()).filter(({ droppedAt }) => droppedAt === undefined);
    const unknown = positionals.find((name) => !known.some((source) => source.name === name));
    if (unknown !== undefined) throw new GarnerError('source.unknown', `there is no source "${unknown}"`);
    const pdf = createPdfReader();
    const answer: Record<string, unknown> = {};
    try {
      for (const { name: source } of known) {
        if (positionals.length > 0 && !positionals.includes(source)) continue;
        if ((await store.captures.listFiles(source)).length === 0) continue;
        const deps = { store, fields: formats.fieldSpecs(), dataFolder: config.data, pdf };
        const { judged, changed, unread } = await withRun(store.runs, source, 'judge', (runId) =>
          judgeCaptures(
            deps,
            { source, runId },
            {
              signal,
              onProgress: (done) => terminal.progress(`${source}: ${formatCount(done.judged)} pages`),
            },
          ),
        );
        answer[source] = { judged, changed, unread };
        terminal.say(
          `${source}: ${formatCount(judged)} pages judged, ${formatCount(changed)} are believed otherwise now, ${formatCount(unread)} could not be read`,
        );
      }
    } finally {
      await pdf.close();
    }
    terminal.answer(answer);
    return 0;
  },
};
