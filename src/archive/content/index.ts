/** The public face of understanding archived content. */
export type { CaptureContent } from './capture-content.ts';
export { typeByExtension } from './extensions.ts';
export type { ImageProperties } from './image/image-properties.ts';
export { CONTENT_LIMITS, type ContentLimits } from './limits.ts';
export { isRequisite, type Link, type LinkKind } from './link.ts';
export { isTextualType, setOfType } from './media-type.ts';
export type { AddedMetadata, ContentReading, Extracted } from './metadata/extracted.ts';
export { createPdfReader, type PdfReader } from './pdf/pdf-reader.ts';
export { type ContentReader, readContent } from './read-content.ts';
export { parseRobotsHeaders, type RobotsDirective, robotsRulesFor } from './robots-directives.ts';
export { SNIFF_BYTES, sniffType } from './sniff.ts';
export { type CaptureText, textForIndex } from './text.ts';
