/** What the terminal tells of a published folder. */
import { asGarnerError } from '../core/errors.ts';
import type { PublishedFolders, ScanReport } from '../publish/folder/index.ts';
import { formatCount, type Terminal } from './terminal.ts';

type PublishedFolder = PublishedFolders['list'][number];

/** Scans and goes on watching. A first scan that fails is told; later ones are in the log. */
export async function watchFolder(folder: PublishedFolder, terminal: Terminal): Promise<void> {
  try {
    const report = await folder.start(showProgress(folder, terminal));
    tellScan(folder.source.name, report, terminal);
  } catch (thrown) {
    const { code, message } = asGarnerError(thrown);
    terminal.warn(`${folder.source.name}: ${message} [${code}]`);
    terminal.event({ event: 'scan.failed', source: folder.source.name, code, message });
  }
}

export function showProgress({ source }: PublishedFolder, terminal: Terminal) {
  return ({ seen }: { readonly seen: number }) => {
    terminal.progress(`${source.name}: ${formatCount(seen)} files seen`);
    terminal.event({ event: 'scan.progress', source: source.name, seen });
  };
}

export function tellScan(name: string, report: ScanReport, terminal: Terminal): void {
  terminal.progressDone();
  terminal.event({ event: 'scan.finished', source: name, ...report });
  const { added, updated, deleted } = report.counts;
  terminal.say(
    `${name}: ${formatCount(report.seen)} files and pages; ${formatCount(added)} new, ${formatCount(updated)} changed, ${formatCount(deleted)} gone, ${formatCount(report.denied)} not for the public (${report.status})`,
  );
  if (report.message !== undefined) terminal.say(`  ${report.message}`);
  if (report.problems > 0 && report.runId !== undefined)
    terminal.say(`  ${formatCount(report.problems)} problems: garner runs ${report.runId}`);
}
