/** Whether a process of this host still runs. */
export function isProcessAlive(pid: number): boolean {
  try {
    // Signal 0 is never delivered: it only asks.
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it is there, but not ours.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
