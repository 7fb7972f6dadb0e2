/** Files of a package as one WARC file, so that they are archived, described and searched like everything else. */
import { createReadStream } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { sniffType } from '../../archive/content/index.ts';
import {
  openWarcWriter,
  type RecordDraft,
  resourceRecord,
  responseRecord,
  writeHttpHead,
} from '../../archive/index.ts';
import type { Clock } from '../../core/time.ts';
import { type HttpHeader, presentableHeaders } from '../../formats/http-header.ts';
import type { PackageFile } from './package-file.ts';

const SNIFF_BYTES = 4096;
/** They tell of a body that was coded or cut otherwise than the file that is here. */
const OF_THE_BODY = /^(?:content-length|content-encoding|transfer-encoding)$/i;
const CONTROLS = /[\u0000-\u001f\u007f]+/g;

/** The file appears as `target` when it is whole. */
export async function writePackageWarc(
  files: readonly PackageFile[],
  target: string,
  scratch: string,
  { clock, software }: { readonly clock: Clock; readonly software: string },
): Promise<void> {
  const folder = join(scratch, 'warc');
  await mkdir(folder, { recursive: true });
  const writer = await openWarcWriter({
    folder,
    prefix: 'package',
    clock,
    maxBytes: Number.MAX_SAFE_INTEGER,
    info: [
      ['software', software],
      ['description', 'files of a package that was made elsewhere; times are those that it tells'],
    ],
  });
  let written = '';
  try {
    for (const file of files) written = (await writer.append(await draftOf(file)))[0]?.file ?? written;
    await writer.sync();
  } finally {
    await writer.close();
  }
  await rename(join(folder, written), target);
  await rm(folder, { recursive: true, force: true });
}

async function draftOf({ url, at, mediaType, headers, path }: PackageFile): Promise<RecordDraft> {
  const context = { targetUri: url, at };
  const body = createReadStream(path);
  if (headers) return responseRecord(context, { head: headOf(headers), body });
  return resourceRecord(context, mediaType ?? (await typeOf(path, url)), body);
}

function headOf(headers: readonly HttpHeader[]): Buffer {
  const kept = presentableHeaders(headers)
    .filter(([name]) => !OF_THE_BODY.test(name))
    .map(
      ([name, value]): HttpHeader => [
        name,
        Buffer.from(value.replace(CONTROLS, ' ').trim()).toString('latin1'),
      ],
    );
  return writeHttpHead('HTTP/1.1 200 OK', kept);
}

async function typeOf(path: string, url: string): Promise<string> {
  const handle = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(SNIFF_BYTES), 0, SNIFF_BYTES, 0);
    return sniffType(buffer.subarray(0, bytesRead), undefined, url).type;
  } finally {
    await handle.close();
  }
}
