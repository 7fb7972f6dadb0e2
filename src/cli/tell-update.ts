/** What is told while a store of an older version is brought up to date: that takes minutes when it is large. */
import type { StoreUpdate } from '../store/index.ts';
import { formatCount, type Terminal } from './terminal.ts';

/** Between two lines where no line can be drawn over itself. */
const EVERY_MS = 10_000;

/** On standard error, in JSON mode as well: it belongs to no answer. */
export function tellUpdate(terminal: Terminal): (update: StoreUpdate) => void {
  let startedAt: number | undefined;
  let toldAt = 0;
  return (update) => {
    if (update.step === 'tables')
      terminal.warn(
        `the store is of an older version (schema ${update.from}): brought to ${update.to}, after a copy of it is put beside it`,
      );
    if (update.step === 'done') terminal.warn('the store is up to date');
    if (update.step !== 'words') return;
    const now = performance.now();
    startedAt ??= now;
    const line = describeWords(update, (now - startedAt) / 1000);
    if (terminal.animated) terminal.progress(line);
    else if (toldAt === 0 || now - toldAt >= EVERY_MS) {
      toldAt = now;
      terminal.warn(line);
    }
  };
}

function describeWords({ done, total }: { done: number; total: number }, seconds: number): string {
  const share = total > 0 ? ` (${Math.floor((100 * done) / total)} %)` : '';
  const left = seconds > 1 && done < total ? `, ${Math.ceil((seconds / done) * (total - done))} s to go` : '';
  return `words are made again: ${formatCount(done)} of ${formatCount(total)} items${share}${left}`;
}
