/** The server of the archive origin, beside that of the portal. */
import { asGarnerError } from '../core/errors.ts';
import { type ArchiveOriginDeps, createArchiveOrigin } from './archive-origin.ts';
import { type RunningServer, startServer } from './server.ts';

export interface ArchivePlace {
  readonly host: string;
  /** Of the portal; 0: both take free ones. */
  readonly port: number;
  /** Absent: the next one, or a free one when somebody has that. */
  readonly archivePort?: number | undefined;
}

export async function startArchiveServer(
  deps: ArchiveOriginDeps,
  { host, port, archivePort }: ArchivePlace,
): Promise<RunningServer> {
  const app = createArchiveOrigin(deps);
  if (archivePort !== undefined) return startServer(app, { host, port: archivePort });
  const next = port === 0 || port === 65535 ? 0 : port + 1;
  try {
    return await startServer(app, { host, port: next });
  } catch (error) {
    if (next === 0 || asGarnerError(error).code !== 'server.address') throw error;
    return startServer(app, { host, port: 0 });
  }
}
