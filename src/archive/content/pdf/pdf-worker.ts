/** Reads PDF files in a thread of its own: it can be stopped, and its memory is bounded. */
import { parentPort } from 'node:worker_threads';
import { getDocumentProxy } from 'unpdf';
import { GarnerError } from '../../../core/errors.ts';
import { serveCalls } from '../../../core/worker-rpc.ts';
import { parseXmp } from '../image/xmp.ts';
import type { NamedValue } from '../metadata/extracted.ts';
import type { PdfCalls, PdfLimits, PdfLink, PdfReading } from './pdf-reading.ts';

type PdfDocument = Awaited<ReturnType<typeof getDocumentProxy>>;

async function open(bytes: Uint8Array): Promise<PdfDocument> {
  try {
    return await getDocumentProxy(bytes, {
      disableFontFace: true,
      useSystemFonts: false,
      // Errors only, and those we get ourselves.
      verbosity: 0,
    });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new GarnerError('content.unreadable', `the PDF cannot be opened: ${reason}`, { cause });
  }
}

async function read(bytes: Uint8Array, limits: PdfLimits): Promise<PdfReading> {
  const document = await open(bytes);
  const problems: string[] = [];
  const pages: string[] = [];
  const links: PdfLink[] = [];
  let room = limits.text;
  const count = Math.min(document.numPages, limits.pages);
  for (let number = 1; number <= count && room > 0; number++) {
    try {
      const page = await document.getPage(number);
      const text = textOf((await page.getTextContent()).items).slice(0, room);
      pages.push(text);
      room -= text.length;
      const annotations: readonly unknown[] = await page.getAnnotations();
      for (const annotation of annotations) {
        const url = urlOf(annotation);
        if (url !== undefined && links.length < limits.links) links.push({ url, page: number });
      }
      page.cleanup();
    } catch (cause) {
      pages.push('');
      if (problems.length < 20)
        problems.push(`page ${number}: ${cause instanceof Error ? cause.message : String(cause)}`);
    }
  }
  const { info, xmp, encrypted, version } = await describe(document, problems);
  await document.loadingTask.destroy();
  return {
    properties: {
      pages: document.numPages,
      encrypted,
      info,
      xmp,
      ...(version !== undefined && { version }),
    },
    pages,
    links,
    cut: document.numPages > count || room <= 0,
    problems,
  };
}

function textOf(items: readonly unknown[]): string {
  let text = '';
  for (const item of items) {
    const part = property(item, 'str');
    if (typeof part === 'string') text += part;
    if (property(item, 'hasEOL') === true) text += '\n';
  }
  return text;
}

function urlOf(annotation: unknown): string | undefined {
  const url = property(annotation, 'url') ?? property(annotation, 'unsafeUrl');
  return typeof url === 'string' && url.length < 8192 ? url : undefined;
}

const property = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;

async function describe(
  document: PdfDocument,
  problems: string[],
): Promise<{ info: NamedValue[]; xmp: NamedValue[]; encrypted: boolean; version: string | undefined }> {
  try {
    const metadata: unknown = await document.getMetadata();
    const dictionary = property(metadata, 'info');
    const info = Object.entries(typeof dictionary === 'object' && dictionary !== null ? dictionary : {});
    const raw: unknown = readRaw(property(metadata, 'metadata'));
    const version = property(dictionary, 'PDFFormatVersion');
    return {
      info: info.flatMap(([name, value]) => infoValue(name, value)),
      xmp: typeof raw === 'string' ? parseXmp(raw) : [],
      encrypted: typeof property(dictionary, 'EncryptFilterName') === 'string',
      version: typeof version === 'string' ? version : undefined,
    };
  } catch (cause) {
    problems.push(`metadata: ${cause instanceof Error ? cause.message : String(cause)}`);
    return { info: [], xmp: [], encrypted: false, version: undefined };
  }
}

function readRaw(metadata: unknown): unknown {
  const getRaw = property(metadata, 'getRaw');
  return typeof getRaw === 'function' ? Reflect.apply(getRaw, metadata, []) : undefined;
}

/** Entries of the file's own dictionary; pdf.js adds some that begin with `Is` and `PDFFormat`. */
function infoValue(name: string, value: unknown): NamedValue[] {
  if (name === 'Custom' && typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, inner]) => infoValue(key, inner));
  if (typeof value !== 'string' || /^(?:PDFFormatVersion|EncryptFilterName|Language)$/.test(name)) return [];
  const text = value.trim().slice(0, 4000);
  return text === '' ? [] : [{ name, value: text }];
}

const calls: PdfCalls = { warmUp: () => Promise.resolve(), read };
if (parentPort) serveCalls(parentPort, calls);
