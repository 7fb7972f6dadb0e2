/** A kind of information package that items can be had as: one object, one entry in the list of the root. */
import type { Viewer } from '../core/access.ts';
import type { Instant, ItemRef } from '../core/model.ts';

/** A record of an archive file. */
export interface RecordPlace {
  readonly file: string;
  readonly offset: number;
}

/** Undefined for what was not copied. */
export type PlaceRecord = (stored: RecordPlace) => RecordPlace | undefined;

export interface PackageChoice {
  /** Default: the newest. */
  readonly version?: number | undefined;
  /** The version that was current then. */
  readonly at?: Instant | undefined;
  /** Of a form that can be had page by page: only this one, by its URL. */
  readonly page?: string | undefined;
  /** Of such a form: the pages are pointed to, each a document of its own. */
  readonly pagesApart?: boolean | undefined;
  /** Where records lie that go along with the package; absent: in the files of the archive. */
  readonly placeRecord?: PlaceRecord | undefined;
}

export interface PackageForm {
  /** For `--format` and `?format=`. */
  readonly name: string;
  /** Other names for the same. */
  readonly aliases?: readonly string[];
  readonly label: string;
  readonly mediaType: string;
  /** With its dot. */
  readonly extension: string;
  /** Stored formats that items need to have one of. */
  readonly madeOf: readonly string[];
  /** `version.unknown` when there is no such version. */
  write(ref: ItemRef, choice: PackageChoice, viewer: Viewer): Promise<AsyncIterable<string | Uint8Array>>;
}

export function findPackageForm(forms: readonly PackageForm[], name: string): PackageForm | undefined {
  return forms.find((form) => form.name === name || form.aliases?.includes(name));
}

/** Those that an item can be had as. */
export function packageFormsOf(
  forms: readonly PackageForm[],
  records: readonly { readonly format: string; readonly status: string }[],
): PackageForm[] {
  const live = records.filter(({ status }) => status === 'live').map(({ format }) => format);
  return forms.filter(({ madeOf }) => madeOf.some((format) => live.includes(format)));
}
