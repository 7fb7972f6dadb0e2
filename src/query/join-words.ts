/** Lines of words, as the index takes them. Written for speed: every text of every record goes through here. */
import { MAX_WORD_LENGTH, splitWords, WORD_GAP } from './words.ts';

const SPACE = 0x20;
const GAP = ` ${WORD_GAP} `;
/** The small form of each letter and digit of ASCII; 0: it parts words. */
const FOLDED = Uint8Array.from({ length: 128 }, (_, code) => {
  const letter = String.fromCharCode(code).toLowerCase();
  return /[a-z0-9]/.test(letter) ? letter.charCodeAt(0) : 0;
});

let bytes = Buffer.allocUnsafe(1 << 16);

/** Several values or text nodes as one line of words with gaps between them: `splitWords`, joined. */
export function joinWords(texts: Iterable<string>): string {
  let line = '';
  let used = 0;
  const flush = () => {
    line += bytes.toString('latin1', 0, used);
    used = 0;
  };
  // All of them first: what gives them might come here itself.
  const all = Array.from(texts);
  for (const text of all) {
    const room = GAP.length + text.length;
    if (used + room > bytes.length) flush();
    if (room > bytes.length) bytes = Buffer.allocUnsafe(room * 2);
    const gap = used > 0 || line !== '' ? GAP : '';
    const start = used + gap.length;
    const end = writeAscii(text, start);
    if (end === undefined) {
      const words = splitWords(text).join(' ');
      if (words === '') continue;
      flush();
      line += gap + words;
    } else if (end > start) {
      for (let i = 0; i < gap.length; i++) bytes[used + i] = gap.charCodeAt(i);
      used = end;
    }
  }
  flush();
  return line;
}

/** Writes the words of a text and returns where they end; undefined when it has other letters than those of ASCII. */
function writeAscii(text: string, start: number): number | undefined {
  const { length } = text;
  let end = start;
  /** Letters of the word so far. */
  let letters = 0;
  for (let i = 0; i < length; i++) {
    const code = text.charCodeAt(i);
    if (code >= FOLDED.length) return undefined;
    const letter = FOLDED[code]!;
    if (letter === 0) letters = 0;
    else {
      if (letters === 0 && end > start) bytes[end++] = SPACE;
      if (letters++ < MAX_WORD_LENGTH) bytes[end++] = letter;
    }
  }
  return end;
}
