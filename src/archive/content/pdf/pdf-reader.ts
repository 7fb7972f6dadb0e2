/** PDF files are read in worker threads, each file with a time limit and each thread with a memory limit. */
import { GarnerError } from '../../../core/errors.ts';
import { workerUrl } from '../../../core/worker-url.ts';
import { createPool } from '../../../xml/pool.ts';
import { CONTENT_LIMITS, type ContentLimits } from '../limits.ts';
import type { PdfCalls, PdfReading } from './pdf-reading.ts';

export interface PdfReader {
  /** Throws `content.unreadable` or `content.timeout`. */
  read(bytes: Uint8Array): Promise<PdfReading>;
  close(): Promise<void>;
}

/** Megabytes for one document; a scanned book of 64 MB takes about half. */
const HEAP_MB = 512;

/** Threads start with the first file and end with `close`. */
export function createPdfReader(options: { size?: number; limits?: ContentLimits } = {}): PdfReader {
  const limits = options.limits ?? CONTENT_LIMITS;
  const pool = createPool<PdfCalls>(workerUrl(import.meta.url, './pdf-worker'), {
    size: options.size ?? 1,
    inFlight: 1,
    timeoutMs: limits.pdfTimeoutMs,
    timeoutError: (ms) => new GarnerError('content.timeout', `reading the PDF took longer than ${ms} ms`),
    warmUp: (calls) => calls.warmUp(),
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  });
  return {
    read: (bytes) => {
      if (bytes.length > limits.pdfBytes)
        return Promise.reject(
          new GarnerError('content.unreadable', `a PDF of ${bytes.length} bytes is larger than the limit`),
        );
      // A view would take all of the buffer behind it along into the thread.
      return pool.calls.read(new Uint8Array(bytes), {
        pages: limits.pdfPages,
        text: limits.text,
        links: limits.links,
      });
    },
    close: () => pool.close(),
  };
}
