/** One capture's content as the readers take it. */
export interface CaptureContent {
  readonly url: string;
  /** Transfer and content codings removed: what the author wrote. */
  readonly bytes: Uint8Array;
  /** Of the HTTP response, in order, names in any case; empty when there was none. */
  readonly headers?: readonly (readonly [name: string, value: string])[];
}

export function headerValues({ headers = [] }: CaptureContent, name: string): string[] {
  const wanted = name.toLowerCase();
  return headers.filter(([key]) => key.toLowerCase() === wanted).map(([, value]) => value);
}

export const headerValue = (content: CaptureContent, name: string): string | undefined =>
  headerValues(content, name)[0];
