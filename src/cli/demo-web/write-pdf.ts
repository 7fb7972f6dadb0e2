/** The smallest PDF that readers take for a paper: pages of text in Helvetica, with title and authors (PDF 1.4). */

const WIDTH = 595;
const HEIGHT = 842;
const MARGIN = 72;
const SIZE = 11;
const LEADING = 15;
/** Helvetica's letters are about half as wide as high. */
const LINE_LETTERS = Math.floor((WIDTH - 2 * MARGIN) / (SIZE * 0.5));
const PAGE_LINES = Math.floor((HEIGHT - 2 * MARGIN) / LEADING);

/** Beyond Latin-1, as WinAnsiEncoding has them (PDF 1.4, annex D). */
const WIN_ANSI: Readonly<Record<string, number>> = { '–': 0x96, '’': 0x92, '“': 0x93, '”': 0x94, '…': 0x85 };

export interface PdfText {
  readonly title: string;
  readonly authors: readonly string[];
  readonly text: string;
}

export function writePdf({ title, authors, text }: PdfText): Buffer {
  const lines = [title, authors.join(', '), '', ...text.trim().split('\n')].flatMap(wrapLine);
  const pages: string[][] = [];
  for (let from = 0; from < lines.length; from += PAGE_LINES)
    pages.push(lines.slice(from, from + PAGE_LINES));
  const pageNumber = (i: number) => 5 + 2 * i;
  return joinObjects([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((_, i) => `${pageNumber(i)} 0 R`).join(' ')}] >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    `<< /Title ${literal(title)} /Author ${literal(authors.join(', '))} >>`,
    ...pages.flatMap((page, i) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${WIDTH} ${HEIGHT}] /Resources << /Font << /F1 3 0 R >> >> /Contents ${pageNumber(i) + 1} 0 R >>`,
      stream(writeLines(page)),
    ]),
  ]);
}

function wrapLine(line: string): string[] {
  const lines = [''];
  for (const word of line.split(' ')) {
    const last = lines.at(-1) ?? '';
    if (last.length + word.length < LINE_LETTERS)
      lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

const writeLines = (lines: readonly string[]): string =>
  `BT /F1 ${SIZE} Tf ${LEADING} TL ${MARGIN} ${HEIGHT - MARGIN} Td\n${lines.map((line) => `${literal(line)} Tj T*`).join('\n')}\nET`;

/** A string in parentheses, one byte for each letter. */
function literal(text: string): string {
  const bytes = Array.from(text, (letter) => WIN_ANSI[letter] ?? Math.min(letter.codePointAt(0) ?? 0, 0xff));
  return `(${String.fromCharCode(...bytes).replace(/[\\()]/g, '\\$&')})`;
}

const stream = (content: string): string => `<< /Length ${content.length} >>\nstream\n${content}\nendstream`;

/** With the table of where each object begins, in bytes; the fourth is the document's information. */
function joinObjects(objects: readonly string[]): Buffer {
  let file = '%PDF-1.4\n';
  const offsets = objects.map((object, i) => {
    const at = file.length;
    file += `${i + 1} 0 obj\n${object}\nendobj\n`;
    return at;
  });
  const start = file.length;
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n`;
  file += offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('');
  file += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R /Info 4 0 R >>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(file, 'latin1');
}
