/** CSV as RFC 4180 has it, safe to open in a spreadsheet. */
export function writeCsvRow(cells: readonly (string | undefined)[]): string {
  return `${cells.map(writeCell).join(',')}\r\n`;
}

function writeCell(text = ''): string {
  // A spreadsheet would run these as formulas; what came from outside must not.
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
