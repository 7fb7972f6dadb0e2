/** A plug-in that makes one form of a product from another. `converters.ts` lists those that there are. */
export interface ConversionJob {
  /** Media types without parameters. */
  readonly from: string;
  readonly to: string;
  /** Pictures only: not wider and not higher than that, in pixels. */
  readonly width?: number;
  readonly height?: number;
}

export interface Converter {
  readonly name: string;
  /** What it makes of a form of that type, the best first; empty: nothing. */
  targets(mediaType: string): readonly string[];
  /** Throws `product.conversion` when the bytes are not what their type says. */
  convert(bytes: Uint8Array, job: ConversionJob): Promise<Uint8Array>;
}
