/** `<meta http-equiv=refresh content="5; url=next.html">` and its many misspellings (HTML Standard §4.2.5.3). */
export interface RefreshTarget {
  readonly delaySeconds: number;
  /** Where the URL stands in the value; absent when the page reloads itself. */
  readonly from?: number;
  readonly to?: number;
}

export function parseRefresh(value: string): RefreshTarget | undefined {
  const number = /^\s{0,99}(\d{0,9})[\d.]{0,20}/.exec(value);
  if (!number) return undefined;
  const delaySeconds = Number(number[1] ?? 0);
  let from = number[0].length;
  if (number[1] === '' && !/^[;,.\s]|^url/i.test(value.slice(from))) return undefined;
  from += /^[\s;,]{0,99}/.exec(value.slice(from, from + 99))?.[0].length ?? 0;
  from += /^url\s{0,9}=\s{0,9}/i.exec(value.slice(from, from + 30))?.[0].length ?? 0;
  const quote = value[from];
  let to = value.length;
  if (quote === '"' || quote === "'") {
    from++;
    const close = value.indexOf(quote, from);
    if (close >= 0) to = close;
  }
  while (to > from && value.charCodeAt(to - 1) <= 0x20) to--;
  return to > from ? { delaySeconds, from, to } : { delaySeconds };
}
