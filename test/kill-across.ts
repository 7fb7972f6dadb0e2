/** Kills spread evenly over a command's whole run, however quick the machine is. */
import { outcomeOf, startGarner } from './garner-process.ts';

/**
 * Runs the command once in a folder where it may end, to see how long it takes, then again and again in the other
 * one, killed a little later each time. Gives how many were still running when they were killed.
 */
export async function killAcross(
  { whole, killed }: { readonly whole: string; readonly killed: string },
  args: readonly string[],
  kills: number,
): Promise<number> {
  const began = performance.now();
  const first = await outcomeOf(startGarner(whole, args));
  if (first.code !== 0) throw new Error(`garner ${args.join(' ')} ended with ${first.code}: ${first.stderr}`);
  const tookMs = performance.now() - began;
  let count = 0;
  for (let i = 1; i <= kills; i++) {
    const child = startGarner(killed, args);
    const timer = setTimeout(() => child.kill('SIGKILL'), (tookMs * i) / (kills + 1));
    if ((await outcomeOf(child)).signal === 'SIGKILL') count++;
    clearTimeout(timer);
  }
  return count;
}
