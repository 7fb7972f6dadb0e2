/** The size of a drawing: its `width` and `height` in pixels, or else those of its view box. */
import { type HtmlListener, valueIn } from '../markup/walk-html.ts';
import type { ImageProperties } from './image-properties.ts';

export interface SvgCollector {
  readonly listener: HtmlListener;
  /** Undefined when the root is no drawing. */
  properties(): ImageProperties | undefined;
}

/** CSS pixels of each unit (CSS Values 4 §6.2). */
const PIXELS: Readonly<Record<string, number>> = {
  '': 1,
  px: 1,
  pt: 96 / 72,
  pc: 16,
  in: 96,
  cm: 96 / 2.54,
  mm: 96 / 25.4,
};

export function collectSvg(): SvgCollector {
  let found: ImageProperties | undefined;
  return {
    listener: {
      open(element) {
        if (element.depth > 0 || found || !/^(?:\w+:)?svg$/.test(element.name)) return;
        const box = (valueIn(element, 'viewBox') ?? '').split(/[\s,]+/, 4).map(Number);
        const width = lengthOf(valueIn(element, 'width')) ?? box[2];
        const height = lengthOf(valueIn(element, 'height')) ?? box[3];
        found = {
          format: 'SVG',
          ...(isSize(width) && { width }),
          ...(isSize(height) && { height }),
        };
      },
    },
    properties: () => found,
  };
}

const isSize = (value: number | undefined): value is number =>
  value !== undefined && value > 0 && value < 1e9;

/** Percentages are of something that the file does not know. */
function lengthOf(text: string | undefined): number | undefined {
  const match = /^\+?(\d{0,9}(?:\.\d{1,9})?)(px|pt|pc|in|cm|mm)?$/i.exec(text ?? '%');
  const scale = PIXELS[match?.[2]?.toLowerCase() ?? ''] ?? 1;
  return match?.[1] ? Math.round(Number(match[1]) * scale * 100) / 100 : undefined;
}
