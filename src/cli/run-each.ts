/** Several runs by one call of a verb: one that fails does not keep the others from being tried. */
import { asGarnerError, ERROR_KINDS } from '../core/errors.ts';
import type { RunStatus } from '../store/index.ts';
import { tellError } from './tell-error.ts';
import type { ExitCode, VerbCall } from './verb.ts';

export async function runEach<Job>(
  jobs: readonly Job[],
  nameOf: (job: Job) => string,
  { terminal, signal }: Pick<VerbCall, 'terminal' | 'signal'>,
  run: (job: Job) => Promise<ExitCode>,
): Promise<ExitCode> {
  let worst: ExitCode = 0;
  for (const job of jobs) {
    if (signal.aborted) break;
    try {
      worst = worseOf(worst, await run(job));
    } catch (thrown) {
      const error = asGarnerError(thrown);
      // A mistake of the caller or of Garner would only be repeated.
      if (jobs.length === 1 || ERROR_KINDS[error.code].exit === 2 || error.code === 'internal.bug')
        throw thrown;
      worst = worseOf(worst, tellError(terminal, error, nameOf(job)));
    }
  }
  return worst;
}

/** Interrupted is no failure of the source, but not done either. */
export const exitOf = (status: RunStatus): ExitCode =>
  status === 'complete' ? 0 : status === 'failed' ? 1 : 3;

/** A failure outweighs what is merely incomplete. */
const worseOf = (a: ExitCode, b: ExitCode): ExitCode => (a === 1 || b === 1 ? 1 : a === 0 ? b : a);
