/** The formats of published files beside oai_dc: http_header and oai_didl, made when they are asked for. */
import { GarnerError } from '../../core/errors.ts';
import { OAI_DIDL } from '../../formats/didl/didl.ts';
import { writeFileDidl } from '../../formats/didl/web-file.ts';
import { toDublinCore } from '../../formats/dublin-core.ts';
import { createJsonExtractor, parseJson } from '../../formats/extract-json.ts';
import { HTTP_HEADER, type HttpHeader, writeHttpHeader } from '../../formats/http-header.ts';
import { type WebFile, webFile } from '../../formats/web-file.ts';
import type { ItemForm } from '../oai/item-form.ts';
import type { Delivery } from './folder-source.ts';
import { computeHeaders } from './live-headers.ts';

/** What a published folder gives to its packages. */
export interface FileParts {
  readonly delivery: Delivery;
  readonly maxValueBytes: number;
  headersOf(file: WebFile): Promise<readonly HttpHeader[]>;
  bytesOf(file: WebFile): Promise<AsyncIterable<Uint8Array> | undefined>;
}

/** `partsOf`: undefined for a source whose folder is not at hand here; its files are described all the same. */
export function createFolderForms(partsOf: (source: string) => FileParts | undefined): readonly ItemForm[] {
  const extract = createJsonExtractor(webFile);
  const base = { madeOf: webFile.name, content: 'raw' } as const;
  const headersOf = (source: string, file: WebFile) =>
    partsOf(source)?.headersOf(file) ?? computeHeaders(file);
  return [
    {
      ...HTTP_HEADER,
      ...base,
      render: async ({ source, bytes }) => {
        const file = readWebFile(bytes);
        return writeHttpHeader(await headersOf(source, file));
      },
    },
    {
      ...OAI_DIDL,
      ...base,
      render: async ({ source, bytes }) => {
        const file = readWebFile(bytes);
        const parts = partsOf(source);
        const content = parts && (await givenByValue(parts, file));
        return writeFileDidl({
          url: file.url,
          mediaType: file.mediaType,
          fixity: { size: file.size, sha256: file.sha256 },
          headers: await headersOf(source, file),
          dublinCore: toDublinCore(webFile, extract(file).fields),
          reference: parts?.delivery !== 'value',
          ...(content && { bytes: content }),
        });
      },
    },
  ];
}

/** The bytes of a file that goes by value. */
export async function givenByValue(
  parts: FileParts,
  file: WebFile,
): Promise<AsyncIterable<Uint8Array> | undefined> {
  const isGiven = parts.delivery !== 'reference' && file.size <= parts.maxValueBytes;
  return isGiven ? parts.bytesOf(file) : undefined;
}

function isWebFile(value: unknown): value is WebFile {
  return (
    typeof value === 'object' && value !== null && 'webFile' in value && 'url' in value && 'sha256' in value
  );
}

export function readWebFile(bytes: Uint8Array): WebFile {
  const value = parseJson(bytes);
  if (isWebFile(value)) return value;
  throw new GarnerError('store.corrupt', 'a stored description of a file is none');
}
