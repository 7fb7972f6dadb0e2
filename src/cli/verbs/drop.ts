import { openGarner } from '../../app.ts';
import { GarnerError } from '../../core/errors.ts';
import { forgetCrawls } from '../../crawl/index.ts';
import { withRun } from '../../harvest/with-run.ts';
import { forgetModels } from '../../packaging/site-model/site-models.ts';
import { onePositional } from '../find-item.ts';
import { readConfig } from '../open.ts';
import { tellUpdate } from '../tell-update.ts';
import { formatCount } from '../terminal.ts';
import type { Verb } from '../verb.ts';

export const dropVerb: Verb = {
  name: 'drop',
  summary: 'withdraw a whole source; tombstones and history stay',
  usage: 'drop SOURCE --yes',
  options: { yes: { type: 'boolean', help: 'really do it' } },
  examples: ['garner drop samples --yes'],
  async run({ positionals, values, terminal }) {
    const name = onePositional(positionals, 'source', this.usage);
    await using garner = await openGarner(readConfig(values), { onUpdate: tellUpdate(terminal) });
    const source = (await garner.store.items.listSources()).find((known) => known.name === name);
    if (!source) throw new GarnerError('source.unknown', `there is no source "${name}"`);
    if (values.yes !== true) {
      throw new GarnerError(
        'usage.invalid',
        `this withdraws ${formatCount(source.liveItems)} items of "${name}"; say --yes if that is right`,
      );
    }
    const { runs, items, captures } = garner.store;
    const { deleted, captured } = await withRun(runs, name, 'drop', async (runId) => {
      const dropped = await items.dropSource(name, runId);
      // Archive files stay where they are, but nothing leads to them any more.
      const captured = await captures.removeSource(name);
      await forgetCrawls(garner.config.data, name);
      await forgetModels(garner.config.data, name);
      return { deleted: dropped.deleted, captured };
    });
    terminal.answer({ source: name, deleted, captures: captured });
    terminal.say(
      `${name}: ${formatCount(deleted)} items withdrawn; garner history still tells what they were`,
    );
    return 0;
  },
};
