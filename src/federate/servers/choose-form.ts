/** Of all forms that a product has or can be made into, the one that is liked best. */
import type { Conversion, Conversions } from '../convert/conversions.ts';
import type { ConversionJob } from '../convert/converter.ts';
import { fitsRange, type MediaRange } from '../convert/media-range.ts';
import type { Product, ProductForm } from './product.ts';
import { bytesForm } from './product-bytes.ts';

export type Scale = Pick<ConversionJob, 'width' | 'height'>;

export type Choice =
  | { readonly kind: 'form'; readonly form: ProductForm; readonly conversion?: Conversion }
  | { readonly kind: 'elsewhere'; readonly url: string };

/** Undefined when the product cannot be had like that. */
export function chooseForm(
  product: Product,
  range: MediaRange,
  conversions: Conversions,
  { width, height }: Scale,
): Choice | undefined {
  const { location } = product;
  if (location && range.format === undefined) {
    const { url, mediaType } = location;
    return mediaType === undefined || fitsRange(range, mediaType) ? { kind: 'elsewhere', url } : undefined;
  }
  // A format by its name is most often there as it is; one record may have it in several types.
  const direct = product.forms.find(({ mediaType, format }) => fitsRange(range, mediaType, format));
  if (range.format !== undefined && direct) return { kind: 'form', form: direct };
  const isScaled = width !== undefined || height !== undefined;
  // As it is kept in any way comes before what else there is of it.
  for (const form of product.forms) {
    const fits = fitsRange(range, form.mediaType, form.format);
    const made = conversions
      .list(form.mediaType)
      .find(({ to }) => fitsRange(range, to, form.format) && (!fits || to === form.mediaType));
    if (fits && !(isScaled && made)) return { kind: 'form', form };
    if (made) return { kind: 'form', form, conversion: made };
  }
  return undefined;
}

const ENDINGS: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'application/json': 'json',
  'application/xml': 'xml',
  'text/csv': 'csv',
};

/** Converted when it must be; the result is held, so that its size is known. */
export async function makeForm(
  { form, conversion }: Extract<Choice, { kind: 'form' }>,
  scale: Scale,
): Promise<ProductForm> {
  if (!conversion) return form.make ? { ...form, ...bytesForm(form.make()) } : form;
  const { to } = conversion;
  const { format, modifiedAt, fileName } = form;
  const bytes = await conversion.run(form.open(), scale);
  const name = fileName.replace(/(?<=.)\.[^./]*$/, '');
  return {
    ...bytesForm(bytes),
    ...(format !== undefined && { format }),
    ...(modifiedAt !== undefined && { modifiedAt }),
    fileName: `${name}.${ENDINGS[to] ?? 'bin'}`,
    mediaType: to,
  };
}
