/**
 * `.ndx` files: lists of byte offsets into an archive file. No description of them was ever published; what
 * is accepted is columns of numbers, the offset first and perhaps a length, or a name or URL beside them.
 */
export interface OffsetLine {
  readonly offset: number;
  readonly length?: number;
  /** What stands in the line beside the numbers. */
  readonly label?: string;
}

export async function* readNdx(
  lines: AsyncIterable<string>,
  problem: (line: number, text: string) => void,
): AsyncGenerator<OffsetLine> {
  let number = 0;
  for await (const line of lines) {
    number++;
    if (line.trim() === '' || line.startsWith('#')) continue;
    const columns = line.trim().split(/[\s,;]+/);
    const numbers = columns.filter((column) => /^\d{1,15}$/.test(column)).map(Number);
    const [offset, length] = numbers;
    if (offset === undefined) {
      problem(number, line);
      continue;
    }
    const label = columns.filter((column) => !/^\d{1,15}$/.test(column)).join(' ');
    yield { offset, ...(length !== undefined && { length }), ...(label !== '' && { label }) };
  }
}
