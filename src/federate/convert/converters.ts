/** The conversion handlers that there are; the first that makes what is wanted is taken. */
import type { Converter } from './converter.ts';
import { csvJsonConverter } from './csv-json.ts';
import { imageConverter } from './image.ts';
import { pdsImageConverter } from './pds-image.ts';
import { xmlJsonConverter } from './xml-json.ts';

export const CONVERTERS: readonly Converter[] = [
  imageConverter,
  pdsImageConverter,
  xmlJsonConverter,
  csvJsonConverter,
];
