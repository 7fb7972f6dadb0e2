/** Writes a DIDL document from its events; of a value only one chunk is in memory. */
import { base64 } from '../../formats/didl/base64.ts';
import { escapeAttribute } from '../../xml/write.ts';
import { collecting } from '../collecting.ts';
import type { DidlEvents } from './didl-events.ts';

/** Without an XML declaration, so that it may also stand inside of an OAI-PMH record. */
export async function* writeDidlEvents(events: DidlEvents): AsyncGenerator<string | Uint8Array> {
  /** A start tag that lacks its end: an element without content is written as one tag. */
  let open: string | undefined;
  for await (const event of events) {
    if (event.kind === 'end' && open !== undefined) {
      yield `${open}/>`;
      open = undefined;
      continue;
    }
    if (open !== undefined) yield `${open}>`;
    open = undefined;
    if (event.kind === 'start') open = writeStart(event.name, event.attributes);
    else if (event.kind === 'end') yield `</${event.name}>`;
    else if (event.kind === 'markup') yield event.markup;
    else yield* base64(collecting(event.bytes));
  }
}

function writeStart(name: string, attributes: readonly (readonly [string, string])[]): string {
  let tag = `<${name}`;
  for (const [attribute, value] of attributes) tag += ` ${attribute}="${escapeAttribute(value)}"`;
  return tag;
}
