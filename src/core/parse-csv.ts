/** CSV (RFC 4180) as spreadsheets write it: quoted cells, any line ends, `;` or tab where that is the habit. */
export interface CsvRow {
  /** From 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

export function parseCsv(text: string): CsvRow[] {
  const source = text.replace(/^\uFEFF/, '');
  const separator = separatorOf(source.split(/\r\n|\r|\n/, 1)[0] ?? '');
  const rows: CsvRow[] = [];
  let cells: string[] = [];
  let cell = '';
  let line = 1;
  let rowLine = 1;
  let quoted = false;
  const endRow = () => {
    cells.push(cell);
    if (cells.some((value) => value.trim() !== '')) rows.push({ line: rowLine, cells });
    cells = [];
    cell = '';
  };
  for (let i = 0; i < source.length; i++) {
    const letter = source.charAt(i);
    const isBreak = letter === '\n' || (letter === '\r' && source[i + 1] !== '\n');
    if (isBreak) line++;
    if (quoted) {
      if (letter !== '"') cell += letter;
      else if (source[i + 1] === '"') {
        cell += '"';
        i++;
      } else quoted = false;
    } else if (letter === '"' && cell.trim() === '') {
      quoted = true;
      cell = '';
    } else if (letter === separator) {
      cells.push(cell);
      cell = '';
    } else if (isBreak) {
      endRow();
      rowLine = line;
    } else if (letter !== '\r') cell += letter;
  }
  endRow();
  return rows;
}

function separatorOf(header: string): string {
  const counts = [',', ';', '\t'].map((letter) => ({ letter, count: header.split(letter).length }));
  return counts.reduce((best, other) => (other.count > best.count ? other : best)).letter;
}
