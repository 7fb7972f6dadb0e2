/** textMD 3.01a: how a text file is encoded and marked up. */
import { xml } from '../xml/write.ts';
import { bibliographicCode } from './language-codes.ts';

export const TEXTMD = {
  namespace: 'info:lc/xmlns/textMD-v3',
  schema: 'http://www.loc.gov/standards/textMD/textMD-v3.01a.xsd',
  version: '3.01a',
} as const;

export interface TextFile {
  /** A name of the Encoding Standard, in lower case. */
  readonly charset?: string;
  /** A language tag (BCP 47). */
  readonly language?: string;
  /** A media type: the markup language. */
  readonly markup: string;
}

/** The schema knows IANA's names, in their own case; others are told in a note. */
const IANA_NAMES: ReadonlyMap<string, string> = new Map(
  (
    'UTF-8 UTF-16LE UTF-16BE ISO-8859-1 ISO-8859-2 ISO-8859-3 ISO-8859-4 ISO-8859-5 ISO-8859-6 ISO-8859-7 ' +
    'ISO-8859-8 ISO-8859-9 ISO-8859-10 ISO-8859-15 windows-1250 windows-1251 windows-1252 windows-1253 windows-1254 windows-1255 ' +
    'windows-1256 windows-1257 windows-1258 KOI8-R Shift_JIS EUC-JP ISO-2022-JP EUC-KR Big5'
  )
    .split(' ')
    .map((name) => [name.toLowerCase(), name]),
);

/** One element without namespace declarations; the prefix `textmd` must be bound. */
export function writeTextMd({ charset, language, markup }: TextFile): string {
  const known = charset === undefined ? undefined : IANA_NAMES.get(charset);
  const code = language === undefined ? undefined : bibliographicCode(language);
  return `<textmd:textMD>${[
    known === undefined
      ? ''
      : xml`<textmd:character_info><textmd:charset>${known}</textmd:charset></textmd:character_info>`,
    code === undefined ? '' : xml`<textmd:language>${code}</textmd:language>`,
    xml`<textmd:markup_basis>${markup}</textmd:markup_basis>`,
    charset === undefined || known !== undefined
      ? ''
      : xml`<textmd:textNote>encoding ${charset}</textmd:textNote>`,
  ].join('')}</textmd:textMD>`;
}
