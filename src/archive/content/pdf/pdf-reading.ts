/** What is read out of a PDF file, in the worker and outside of it. */
import type { PdfProperties } from '../metadata/extracted.ts';

export interface PdfLink {
  readonly url: string;
  /** Counted from 1. */
  readonly page: number;
}

export interface PdfReading {
  readonly properties: PdfProperties;
  /** Text of each page that was read. */
  readonly pages: readonly string[];
  /** Link annotations. */
  readonly links: readonly PdfLink[];
  /** Pages or text were left out. */
  readonly cut: boolean;
  readonly problems: readonly string[];
}

export interface PdfLimits {
  readonly pages: number;
  /** Characters of text. */
  readonly text: number;
  readonly links: number;
}

/** Served by `pdf-worker.ts`. */
export interface PdfCalls {
  warmUp(): Promise<void>;
  read(bytes: Uint8Array, limits: PdfLimits): Promise<PdfReading>;
}
