/** Work on several items of a list at once, with the results in the order of the list. */
export async function* mapAhead<T, U>(
  items: AsyncIterable<T>,
  ahead: number,
  work: (item: T) => Promise<U>,
): AsyncGenerator<U> {
  const waiting: Promise<U>[] = [];
  try {
    for await (const item of items) {
      const next = work(item);
      // Whoever takes it hears of its failure; it may fail before that.
      next.catch(() => {});
      waiting.push(next);
      const first = waiting.length >= ahead ? waiting.shift() : undefined;
      if (first) yield await first;
    }
    for (let first = waiting.shift(); first; first = waiting.shift()) yield await first;
  } finally {
    await Promise.allSettled(waiting);
  }
}
