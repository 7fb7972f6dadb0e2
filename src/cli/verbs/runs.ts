import type { Garner } from '../../app.ts';
import { GarnerError } from '../../core/errors.ts';
import { withRun } from '../../harvest/with-run.ts';
import { openForVerb } from '../open.ts';
import { formatCount, formatTable, type Terminal } from '../terminal.ts';
import { type ExitCode, textOption, type Verb } from '../verb.ts';

const LISTED = 20;

export const runsVerb: Verb = {
  name: 'runs',
  summary: 'what ran, when, with what outcome; the problems of one run; undo of one',
  usage: 'runs [NUMBER | undo NUMBER] [--source NAME]',
  options: { source: { type: 'string', value: 'NAME', help: 'only runs of this source' } },
  examples: ['garner runs', 'garner runs 17', 'garner runs undo 17'],
  async run({ positionals, values, terminal }) {
    await using garner = await openForVerb(values, terminal);
    const [number, undone] = positionals;
    if (number === 'undo') return await undoRun(garner, undone, terminal);
    if (number !== undefined) {
      const run = /^\d+$/.test(number) ? await garner.store.runs.findRun(Number(number)) : undefined;
      if (!run) throw new GarnerError('run.unknown', `there is no run ${number}`);
      const problems = await garner.store.runs.listProblems({ runId: run.id, limit: 1000 });
      const kinds = await garner.store.runs.countProblemsOfRun(run.id);
      terminal.answer({ ...run, problemKinds: kinds, problemList: problems });
      terminal.say(
        `run ${run.id}, ${run.kind} of ${run.source}: ${run.status}${run.message ? `; ${run.message}` : ''}`,
      );
      const { added, updated, unchanged, deleted, invalid } = run.counts;
      terminal.say(
        `  ${formatCount(added)} new, ${formatCount(updated)} changed, ${formatCount(unchanged)} unchanged, ${formatCount(deleted)} deleted, ` +
          `${formatCount(invalid)} unusable, ${formatCount(run.repaired)} repaired`,
      );
      for (const { code, count } of kinds) terminal.say(`  ${formatCount(count)} × ${code}`);
      for (const problem of problems) {
        terminal.say(
          `  ${problem.where ?? ''}${problem.line ? `:${problem.line}` : ''} ${problem.message} [${problem.code}]`,
        );
      }
      if (run.problems > problems.length)
        terminal.say(`  … and ${formatCount(run.problems - problems.length)} more`);
      return 0;
    }
    const source = textOption(values, 'source');
    const runs = await garner.store.runs.listRuns({ limit: LISTED, ...(source !== undefined && { source }) });
    terminal.answer({ runs });
    if (runs.length === 0) terminal.say('nothing ran yet; garner import takes records in');
    const rows = runs.map((run) => [
      String(run.id),
      run.source,
      run.kind,
      run.status,
      new Date(run.startedAt).toISOString().slice(0, 19),
      `+${formatCount(run.counts.added)} ~${formatCount(run.counts.updated)} -${formatCount(run.counts.deleted)}`,
      run.problems > 0 ? `${formatCount(run.problems)} problems` : '',
    ]);
    for (const line of formatTable(rows)) terminal.say(line);
    return 0;
  },
};

async function undoRun(garner: Garner, number: string | undefined, terminal: Terminal): Promise<ExitCode> {
  if (number === undefined || !/^\d+$/.test(number))
    throw new GarnerError('usage.invalid', 'which run? usage: garner runs undo NUMBER');
  const { store } = garner;
  const run = await store.runs.findRun(Number(number));
  if (!run) throw new GarnerError('run.unknown', `there is no run ${number}`);
  const done = await withRun(store.runs, run.source, 'undo', (runId) =>
    store.items.undoRun(run.source, runId, run.id),
  );
  terminal.answer({ source: run.source, undone: run.id, ...done });
  terminal.say(
    `run ${run.id} of ${run.source} is undone: ${formatCount(done.restored)} records as before, ` +
      `${formatCount(done.deleted)} that came with it deleted`,
  );
  if (done.kept > 0)
    terminal.say(`  ${formatCount(done.kept)} records changed again since then and were left as they are`);
  return done.kept > 0 ? 3 : 0;
}
