/** Short changing work as a run of its own: lease taken, outcome recorded, lease given back. */
import { asGarnerError } from '../core/errors.ts';
import type { RunStore } from '../store/index.ts';

export async function withRun<T>(
  runs: RunStore,
  source: string,
  kind: string,
  work: (runId: number) => Promise<T>,
): Promise<T> {
  const { id } = await runs.startRun(source, kind);
  try {
    const result = await work(id);
    await runs.finishRun(id, 'complete');
    return result;
  } catch (error) {
    await runs.finishRun(id, 'failed', asGarnerError(error).message);
    throw error;
  }
}
