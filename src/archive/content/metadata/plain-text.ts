/** Text as a reader sees it: white space joined, bounded. */
export function joinSpace(text: string, limit: number): string {
  return text
    .slice(0, limit * 4)
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, limit);
}

/** Scripts without spaces count one word per character, as the search index does. */
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])[\p{L}\p{N}\p{M}])+/gu;

export function countWords(text: string): number {
  let count = 0;
  WORD.lastIndex = 0;
  while (WORD.test(text)) count++;
  return count;
}

/** Gathers blocks of text up to a limit. */
export class TextCollector {
  readonly #limit: number;
  readonly #parts: string[] = [];
  #length = 0;
  /** What stands between the last text and the next. */
  #gap: '' | ' ' | '\n' = '';
  cut = false;

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(text: string): void {
    const joined = text.replace(/\s+/g, ' ');
    if (joined === '') return;
    if (joined.startsWith(' ')) this.#space();
    const core = joined.trim();
    if (core === '') return;
    const room = this.#limit - this.#length;
    if (room <= 0) {
      this.cut = true;
      return;
    }
    const part = this.#parts.length === 0 ? core : this.#gap + core;
    if (part.length > room) this.cut = true;
    this.#parts.push(part.slice(0, room));
    this.#length += Math.min(part.length, room);
    this.#gap = joined.endsWith(' ') ? ' ' : '';
  }

  /** A block begins or ends here. */
  break(): void {
    this.#gap = '\n';
  }

  #space(): void {
    if (this.#gap === '') this.#gap = ' ';
  }

  get text(): string {
    return this.#parts.join('');
  }
}
