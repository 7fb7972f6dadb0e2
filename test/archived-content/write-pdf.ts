/** Writes small PDF files for tests (ISO 32000-1 §7.5), with a right table of offsets. */
export interface PdfParts {
  readonly pages: readonly string[];
  readonly info?: string;
  readonly xmp?: string;
  /** Address of a link on the first page. */
  readonly link?: string;
}

export function writePdf({ pages, info, xmp, link }: PdfParts): Buffer {
  const objects: string[] = [];
  const add = (body: string): number => objects.push(body);
  const stream = (entries: string, body: string) =>
    `<< ${entries} /Length ${Buffer.byteLength(body)} >>\nstream\n${body}\nendstream`;
  const catalogue = add('');
  const tree = add('');
  const font = add('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>');
  const kids = pages.map((text, index) => {
    const lines = text.split('\n').map((line, row) => `1 0 0 1 72 ${700 - row * 20} Tm (${line}) Tj`);
    const content = add(stream('', `BT /F1 12 Tf ${lines.join(' ')} ET`));
    const annotation =
      index === 0 && link !== undefined
        ? add(`<< /Type /Annot /Subtype /Link /Rect [72 690 200 710] /A << /S /URI /URI (${link}) >> >>`)
        : undefined;
    return add(
      `<< /Type /Page /Parent ${tree} 0 R /MediaBox [0 0 612 792] /Contents ${content} 0 R /Resources << /Font << /F1 ${font} 0 R >> >>${annotation === undefined ? '' : ` /Annots [${annotation} 0 R]`} >>`,
    );
  });
  const metadata = xmp === undefined ? undefined : add(stream('/Type /Metadata /Subtype /XML', xmp));
  objects[catalogue - 1] =
    `<< /Type /Catalog /Pages ${tree} 0 R${metadata === undefined ? '' : ` /Metadata ${metadata} 0 R`} >>`;
  objects[tree - 1] =
    `<< /Type /Pages /Count ${kids.length} /Kids [${kids.map((kid) => `${kid} 0 R`).join(' ')}] >>`;
  const information = info === undefined ? undefined : add(`<< ${info} >>`);

  let file = '%PDF-1.4\n';
  const offsets = objects.map((body, index) => {
    const at = Buffer.byteLength(file);
    file += `${index + 1} 0 obj\n${body}\nendobj\n`;
    return at;
  });
  const table = Buffer.byteLength(file);
  const entries = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('');
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries}trailer\n<< /Size ${objects.length + 1} /Root ${catalogue} 0 R${information === undefined ? '' : ` /Info ${information} 0 R`} >>\nstartxref\n${table}\n%%EOF\n`;
  return Buffer.from(file);
}
