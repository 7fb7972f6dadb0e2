/** The demo's topic from question to snapshot, beside the server, told in the terminal as it goes. */
import { openRunLogs } from '../../app/run-source.ts';
import { openTopicPipeline } from '../../app/topic-pipeline.ts';
import type { Garner } from '../../app.ts';
import { asGarnerError } from '../../core/errors.ts';
import { itemPath } from '../../core/identifiers.ts';
import { silentLog } from '../../core/log.ts';
import { systemClock } from '../../core/time.ts';
import { openTopicMarks, type TopicRun } from '../../discover/index.ts';
import type { Terminal } from '../terminal.ts';
import { describeCrawl, describeProgress } from '../topic-progress.ts';

export const DEMO_TOPIC = 'FOCAL';

/** The demo's curator has looked at some pages before; once is enough. */
export function markExamples(
  { config }: Pick<Garner, 'config'>,
  examples: Readonly<Record<'good' | 'bad', readonly string[]>>,
): void {
  const marks = openTopicMarks(config.data);
  if (marks.list(DEMO_TOPIC).length > 0) return;
  const marked = (mark: 'good' | 'bad') =>
    examples[mark].map((url) => ({ url, mark, by: 'the demo’s curator', at: systemClock() }));
  marks.add(DEMO_TOPIC, [...marked('good'), ...marked('bad')]);
}

/** Never fails: the demo is worth looking at without a topic, too. `site`: the portal's address. */
export async function discoverDemo(
  garner: Garner,
  site: string,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<void> {
  const started = performance.now();
  terminal.say(`topic    ${site}/topics/${DEMO_TOPIC} (three engines of the demo are being asked …)`);
  using pipeline = openTopicPipeline(garner, openRunLogs(garner).tee(silentLog));
  try {
    const { run, status, message } = await pipeline.run(DEMO_TOPIC, {
      signal,
      onChange: (changed) => terminal.progress(describeProgress(changed)),
      onCrawl: (progress) => terminal.progress(describeCrawl(DEMO_TOPIC, progress)),
    });
    terminal.progressDone();
    terminal.event({ event: 'demo.discovered', status, snapshot: run.crawl?.snapshot });
    if (status === 'interrupted') return;
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    terminal.say(`topic    ${summaryOf(run)} in ${seconds} s${message === undefined ? '' : ` (${message})`}`);
    const snapshot = run.crawl?.snapshot;
    if (snapshot === undefined) return;
    terminal.say(`snapshot ${site}${itemPath(DEMO_TOPIC, snapshot)}`);
    terminal.say(`corpus   ${site}/topics/${DEMO_TOPIC}/corpus`);
    terminal.say(`set      ${site}/oai?verb=ListRecords&metadataPrefix=oai_dc&set=${DEMO_TOPIC}`);
  } catch (thrown) {
    terminal.progressDone();
    if (signal.aborted) return;
    const { message, code } = asGarnerError(thrown);
    terminal.warn(`topic ${DEMO_TOPIC}: ${message} [${code}]`);
  }
}

function summaryOf({ engines, candidates, crawl }: TopicRun): string {
  const seeds = crawl?.seeds ?? [];
  const archived = seeds.filter(({ key }) => {
    const { state, status = 0 } = crawl?.outcomes?.[key] ?? {};
    return state === 'done' && status < 400;
  }).length;
  return `${engines.length} engines gave ${candidates.length} candidates, ${seeds.length} accepted, ${archived} archived`;
}
