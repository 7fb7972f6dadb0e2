/** How much of one capture is looked at. What lies beyond is still archived, only not understood. */
export interface ContentLimits {
  /** Bytes of a page, script, style sheet or feed. */
  readonly bytes: number;
  readonly links: number;
  /** Characters of visible text. */
  readonly text: number;
  /** Characters of one value: a title, a META content, an anchor's text. */
  readonly value: number;
  /** Of each list in the extracted metadata. */
  readonly entries: number;
  readonly pdfBytes: number;
  readonly pdfPages: number;
  readonly pdfTimeoutMs: number;
  /** Of the thread that reads it, in megabytes: what is packed in a few bytes may unpack to more than there is. */
  readonly pdfMemoryMb: number;
}

export const CONTENT_LIMITS: ContentLimits = {
  bytes: 8 << 20,
  links: 50_000,
  text: 2_000_000,
  value: 4_000,
  entries: 1_000,
  pdfBytes: 64 << 20,
  pdfPages: 2_000,
  pdfTimeoutMs: 60_000,
  pdfMemoryMb: 512,
};
