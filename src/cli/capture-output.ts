/** `URL@TIME`: what the archive holds of a URL nearest to a moment, on standard output. */
import type { Garner } from '../app.ts';
import { surtKey, writeHttpHead } from '../archive/index.ts';
import { captureSpan, openCapture } from '../archive/items/index.ts';
import { OPERATOR } from '../core/access.ts';
import { GarnerError } from '../core/errors.ts';
import type { Instant } from '../core/model.ts';
import type { Terminal } from './terminal.ts';
import { type OptionValues, textOption } from './verb.ts';

export interface UrlAtTime {
  readonly url: string;
  readonly at: Instant;
}

/** Undefined when the text is no URL with a time behind its last `@`: URLs may have an `@` of their own. */
export function readUrlAtTime(text: string): UrlAtTime | undefined {
  const [, url = '', time = ''] = /^([a-z][a-z0-9+.-]*:.+)@([0-9T:.Z+-]+)$/i.exec(text) ?? [];
  const span = url === '' ? undefined : captureSpan(time);
  return span && { url, at: span.start };
}

/** The content without any coding; with `--headers`, the header as it was sent before it. */
export async function printCapture(
  { store, config }: Garner,
  { url, at }: UrlAtTime,
  values: OptionValues,
  terminal: Terminal,
): Promise<void> {
  const source = textOption(values, 'source');
  const capture = await store.captures.findClosest(
    surtKey(url),
    at,
    OPERATOR,
    source === undefined ? {} : { sources: [source] },
  );
  if (!capture) throw new GarnerError('item.unknown', `there is no capture of ${url}`);
  const { record, http, original } = await openCapture(
    { captures: store.captures, dataFolder: config.data },
    capture,
    OPERATOR,
  );
  try {
    terminal.warn(
      `${capture.url} at ${new Date(capture.at).toISOString()}, status ${capture.status ?? 'unknown'}` +
        (capture.redirect === undefined ? '' : ` to ${capture.redirect}`) +
        (original ? `, content of ${new Date(original.at).toISOString()}` : ''),
    );
    if (values.headers === true && http) terminal.bytes(writeHttpHead(http.startLine, http.headers));
    for await (const part of record.contentStream()) terminal.bytes(part);
  } finally {
    await record.close();
  }
}
