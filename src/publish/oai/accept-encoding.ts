/** Whether the client asked for gzip (RFC 9110 §12.5.3): by name or by `*`, and not with weight 0. */
export function wantsGzip(header: string | null): boolean {
  let any = false;
  for (const entry of (header ?? '').split(',')) {
    const [coding = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase());
    if (coding !== 'gzip' && coding !== 'x-gzip' && coding !== '*') continue;
    const weight = parameters.find((parameter) => /^q\s*=/.test(parameter));
    const wanted = weight === undefined || Number(weight.replace(/^q\s*=/, '')) > 0;
    if (coding !== '*') return wanted;
    any = wanted;
  }
  return any;
}
