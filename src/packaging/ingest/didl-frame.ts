/** What is known of an open container, item or component; what it does not say itself, those around it do. */
import type { DidlFixity } from '../../formats/didl/read-didl.ts';
import type { HttpHeader } from '../../formats/http-header.ts';
import { childText, type SmallElement } from '../../xml/small-tree.ts';
import { isCaptureUrl } from './package-file.ts';

export interface FrameResource {
  readonly mediaType?: string;
  readonly ref?: string;
  /** Where its content is spooled. */
  readonly path?: string;
}

/** A file of a packed directory, as the container lists it. */
export interface ListedFile {
  readonly url: string;
  readonly at: number;
}

export class DidlFrame {
  readonly kind: string;
  readonly resources: FrameResource[] = [];
  readonly fixity: DidlFixity[] = [];
  /** By their names in the directory. */
  readonly listed = new Map<string, ListedFile>();
  size: number | undefined;
  readonly #parent: DidlFrame | undefined;
  #identifier: string | undefined;
  #headers: readonly HttpHeader[] | undefined;
  #at: number | undefined;

  constructor(kind: string, parent: DidlFrame | undefined) {
    this.kind = kind;
    this.#parent = parent;
  }

  /** A component of several in an item is not what the item is; but where it says nothing, the item does. */
  get identifier(): string | undefined {
    return this.#identifier ?? this.#parent?.identifier;
  }

  get headers(): readonly HttpHeader[] | undefined {
    return this.#headers ?? (this.kind === 'Component' ? this.#parent?.headers : undefined);
  }

  get at(): number | undefined {
    return this.#at ?? this.#parent?.at;
  }

  /** One statement, by the local name of its element. */
  describe(element: SmallElement): void {
    const text = element.text.trim();
    if (element.name === 'Identifier') this.#identifier ??= text;
    else if (element.name === 'directory') this.#readDirectory(element);
    else if (element.name === 'header')
      this.#headers ??= element.children.map(({ name, text: value }): HttpHeader => [name, value.trim()]);
    else if (/^(?:created|modified|issued|date)$/.test(element.name)) {
      const at = Date.parse(text);
      if (!Number.isNaN(at)) this.#at ??= at;
    } else if (element.name === 'object' || element.name === 'premis') this.#readFixity(element);
  }

  #readDirectory({ children }: SmallElement): void {
    for (const { attributes, text } of children) {
      const url = attributes.get('url') ?? '';
      const at = Date.parse(attributes.get('capturedAt') ?? '');
      if (isCaptureUrl(url) && !Number.isNaN(at)) this.listed.set(text.trim(), { url, at });
    }
  }

  #readFixity(element: SmallElement): void {
    for (const child of element.children) {
      if (child.name === 'fixity') {
        const algorithm = childText(child, 'messageDigestAlgorithm')?.toLowerCase().replaceAll('-', '');
        const digest = childText(child, 'messageDigest');
        if (algorithm && digest) this.fixity.push({ algorithm, digest });
      } else if (child.name === 'size' && /^\d{1,15}$/.test(child.text.trim()))
        this.size ??= Number(child.text.trim());
      else this.#readFixity(child);
    }
  }
}
