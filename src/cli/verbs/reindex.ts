import { createSourceIngest, openGarner } from '../../app.ts';
import { GarnerError } from '../../core/errors.ts';
import { reindexSource } from '../../harvest/reindex.ts';
import { readConfig } from '../open.ts';
import { tellUpdate } from '../tell-update.ts';
import { formatCount } from '../terminal.ts';
import type { Verb } from '../verb.ts';

export const reindexVerb: Verb = {
  name: 'reindex',
  summary: 'apply changed fields, formats and stylesheets to what is stored',
  usage: 'reindex [SOURCE…]',
  options: {},
  examples: ['garner reindex', 'garner reindex samples'],
  async run({ positionals, values, terminal, signal }) {
    await using garner = await openGarner(readConfig(values), {
      threads: true,
      onUpdate: tellUpdate(terminal),
    });
    const known = (await garner.store.items.listSources()).map(({ name }) => name);
    const unknown = positionals.find((name) => !known.includes(name));
    if (unknown !== undefined)
      throw new GarnerError(
        'source.unknown',
        `there is no source "${unknown}"; there are ${known.join(', ')}`,
      );
    const report: Record<string, unknown> = {};
    for (const source of positionals.length > 0 ? positionals : known) {
      const ingest = createSourceIngest(garner, source);
      try {
        const done = await reindexSource({ store: garner.store, ingest, formats: garner.formats }, source, {
          signal,
          onProgress: (count) => {
            terminal.progress(`${source}: ${formatCount(count)} records`);
            terminal.event({ event: 'reindex.progress', source, records: count });
          },
        });
        report[source] = done;
        terminal.say(
          `${source}: ${formatCount(done.records)} records extracted anew, ${formatCount(done.problems)} problems`,
        );
      } finally {
        await ingest.close();
      }
    }
    await garner.store.admin.optimise();
    terminal.answer(report);
    return 0;
  },
};
