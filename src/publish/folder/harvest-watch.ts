/**
 * During the first scan a file's datestamp is the time of its last modification, which lies in the past. A
 * harvester that lists the repository before the scan is over would never hear of files found later: its
 * next visit asks for changes since the first. So from the first visit on, files appear at the moment they
 * are found.
 */
export class HarvestWatch {
  #visited = false;
  #commit: Promise<unknown> = Promise.resolve();

  get visited(): boolean {
    return this.#visited;
  }

  /** To be awaited before a harvester's question is answered: what is on its way with old dates comes in first. */
  async visit(): Promise<void> {
    if (this.#visited) return;
    this.#visited = true;
    await this.#commit;
  }

  /** Tells of a commit with dates in the past. */
  during<T>(commit: Promise<T>): Promise<T> {
    // Whoever started it hears of its failure.
    this.#commit = commit.catch(() => undefined);
    return commit;
  }
}
