/** Small questions about answers and failures. */
import { asGarnerError } from '../../core/errors.ts';

export const isRedirect = (status: number): boolean => status >= 300 && status < 400;

/** What went wrong on the way to the host, and not in this program. */
export function isFetchFailure(error: unknown): boolean {
  const { code } = asGarnerError(error);
  return code.startsWith('http.') || code === 'source.answer';
}

export function acceptsType(types: readonly string[], header: string | undefined): boolean {
  if (types.length === 0 || header === undefined) return true;
  const type = header.split(';')[0]?.trim().toLowerCase() ?? '';
  return types.some((wanted) =>
    wanted.endsWith('/*')
      ? type.startsWith(wanted.slice(0, -1).toLowerCase())
      : type === wanted.toLowerCase(),
  );
}

/** Header bytes come as Latin-1; a Location in raw UTF-8 is read as what it is. */
export function decodeLocation(location: string): string {
  const readable = Buffer.from(location, 'latin1').toString('utf8');
  return readable.includes('\ufffd') ? location : readable;
}
