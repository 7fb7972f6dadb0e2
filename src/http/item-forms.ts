/** Items in the forms that OAI-PMH makes of them, for whoever looks at one item: `?format=http_header`. */
import { Readable } from 'node:stream';
import { GarnerError } from '../core/errors.ts';
import type { ItemForm, OaiMetadata } from '../publish/index.ts';
import type { StoredItem } from '../store/index.ts';
import type { HttpContext } from './context.ts';
import type { HttpDeps } from './deps.ts';
import { FOREIGN_BYTES_POLICY } from './headers.ts';
import { fileName } from './item-content.ts';

type FormDeps = Pick<HttpDeps, 'store' | 'forms'>;

/** Those that are made of a record which the item has; what it has stored in a format is that format. */
export function formsOf({ forms = [] }: FormDeps, { records }: Pick<StoredItem, 'records'>): ItemForm[] {
  const live = new Set(records.filter(({ status }) => status === 'live').map(({ format }) => format));
  return forms.filter(({ madeOf, prefix }) => madeOf !== undefined && live.has(madeOf) && !live.has(prefix));
}

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';

export async function formResponse(
  c: HttpContext,
  deps: FormDeps,
  item: StoredItem,
  prefix: string,
): Promise<Response> {
  const offered = formsOf(deps, item);
  for (const form of offered.filter((one) => one.prefix === prefix)) {
    const { source } = item;
    const { madeOf: format = '', content } = form;
    const page = await deps.store.harvest.findPage(
      item.oaiIdentifier,
      { source, format, content },
      c.get('viewer'),
    );
    const [found] = page.records;
    if (found?.status !== 'live') continue;
    const record = { ...found, bytes: page.bytes };
    if (form.fits && !form.fits(record)) continue;
    const bytes = Readable.from(writeDocument(await form.render(record, c.get('viewer'))), {
      objectMode: false,
    });
    return c.body(Readable.toWeb(bytes) as ReadableStream<Uint8Array>, 200, {
      'content-security-policy': FOREIGN_BYTES_POLICY,
      'content-type': 'text/xml; charset=utf-8',
      'content-disposition': `inline; filename="${fileName(item.identifier)}.${prefix}.xml"`,
    });
  }
  throw new GarnerError(
    'request.invalid',
    `format: the item is not there as ${prefix}; it is as ${offered.map((form) => form.prefix).join(', ') || 'no other format'}`,
  );
}

async function* writeDocument(metadata: OaiMetadata): AsyncGenerator<string | Uint8Array> {
  yield DECLARATION;
  if (typeof metadata === 'string' || metadata instanceof Uint8Array) yield metadata;
  else yield* metadata;
}
