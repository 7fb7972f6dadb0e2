/** PDF files are read in worker threads, each file with a time limit and each thread with a memory limit. */
import { asGarnerError, GarnerError } from '../../../core/errors.ts';
import { workerUrl } from '../../../core/worker-url.ts';
import { createPool } from '../../../xml/pool.ts';
import { CONTENT_LIMITS, type ContentLimits } from '../limits.ts';
import type { PdfCalls, PdfReading } from './pdf-reading.ts';

export interface PdfReader {
  /** Throws `content.unreadable` or `content.timeout`. */
  read(bytes: Uint8Array): Promise<PdfReading>;
  close(): Promise<void>;
}

/** Threads start with the first file and end with `close`. */
export function createPdfReader(options: { size?: number; limits?: ContentLimits } = {}): PdfReader {
  const limits = options.limits ?? CONTENT_LIMITS;
  const pool = createPool<PdfCalls>(workerUrl(import.meta.url, './pdf-worker'), {
    size: options.size ?? 1,
    inFlight: 1,
    timeoutMs: limits.pdfTimeoutMs,
    timeoutError: (ms) => new GarnerError('content.timeout', `reading the PDF took longer than ${ms} ms`),
    warmUp: (calls) => calls.warmUp(),
    maxMemoryMb: limits.pdfMemoryMb,
  });
  return {
    read: async (bytes) => {
      if (bytes.length > limits.pdfBytes)
        throw new GarnerError(
          'content.unreadable',
          `a PDF of ${bytes.length} bytes is larger than the limit`,
        );
      try {
        // A view would take all of the buffer behind it along into the thread.
        return await pool.calls.read(new Uint8Array(bytes), {
          pages: limits.pdfPages,
          text: limits.text,
          links: limits.links,
        });
      } catch (cause) {
        const error = asGarnerError(cause);
        // The same file would end the next thread, too.
        if (error.code !== 'worker.lost') throw error;
        throw new GarnerError('content.unreadable', `reading the PDF failed: ${error.message}`, { cause });
      }
    },
    close: () => pool.close(),
  };
}
