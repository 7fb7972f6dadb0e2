/** One capture's content as the readers take it. */
import type { HeaderList } from '../read/header-list.ts';

export interface CaptureContent {
  readonly url: string;
  /** Transfer and content codings removed: what the author wrote. */
  readonly bytes: Uint8Array;
  /** Of the HTTP response; empty when there was none. */
  readonly headers?: HeaderList;
}
