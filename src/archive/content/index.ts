/** The public face of understanding archived content. */
export type { CaptureContent } from './capture-content.ts';
export type { ImageProperties } from './image/image-properties.ts';
export { CONTENT_LIMITS, type ContentLimits } from './limits.ts';
export { isRequisite, type Link, type LinkKind } from './link.ts';
export type { AddedMetadata, ContentReading, Extracted } from './metadata/extracted.ts';
export { createPdfReader, type PdfReader } from './pdf/pdf-reader.ts';
export { type ContentReader, readContent } from './read-content.ts';
export { parseRobotsHeaders, type RobotsDirective, robotsRulesFor } from './robots-directives.ts';
export { sniffType } from './sniff.ts';
export { type CaptureText, textForIndex } from './text.ts';
