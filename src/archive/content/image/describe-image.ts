/** What the embedded descriptions of an image say of its title, dates and licence, in the words of all captures. */
import { normaliseDate } from '../../../core/time.ts';
import {
  type Extracted,
  type FoundDate,
  type FoundLicence,
  type NamedValue,
  NOTHING_EXTRACTED,
} from '../metadata/extracted.ts';
import type { ImageProperties } from './image-properties.ts';

export function describeImage(image: ImageProperties): Extracted {
  const { xmp = [], iptc = [], texts = [], exif } = image;
  const title =
    named(xmp, 'dc:title') ?? named(iptc, 'Headline') ?? named(iptc, 'ObjectName') ?? named(texts, 'Title');
  const dates: (FoundDate | undefined)[] = [
    exif?.takenAt === undefined
      ? undefined
      : { value: exif.takenAt, written: exif.takenAt, meaning: 'created', origin: 'exif DateTimeOriginal' },
    dateOf(iptc, 'DateCreated', 'created', 'iptc'),
    dateOf(xmp, 'photoshop:DateCreated', 'created', 'xmp'),
    dateOf(xmp, 'xmp:CreateDate', 'created', 'xmp'),
    dateOf(xmp, 'xmp:ModifyDate', 'modified', 'xmp'),
  ];
  const licences: (FoundLicence | undefined)[] = [
    licenceOf(xmp, 'xmpRights:WebStatement', 'xmp'),
    licenceOf(xmp, 'cc:license', 'xmp'),
    licenceOf(xmp, 'dc:rights', 'xmp'),
    licenceOf(iptc, 'CopyrightNotice', 'iptc'),
    licenceOf(exif?.tags ?? [], 'Copyright', 'exif'),
  ];
  return {
    ...NOTHING_EXTRACTED,
    ...(title !== undefined && { title }),
    dates: dates.filter((date) => date !== undefined),
    licences: licences.filter((licence) => licence !== undefined),
    image,
  };
}

const named = (list: readonly NamedValue[], name: string): string | undefined =>
  list.find((one) => one.name === name)?.value;

function dateOf(
  list: readonly NamedValue[],
  name: string,
  meaning: FoundDate['meaning'],
  origin: string,
): FoundDate | undefined {
  const written = named(list, name);
  const value = written === undefined ? undefined : normaliseDate(written);
  return written === undefined || value === undefined
    ? undefined
    : { value, written, meaning, origin: `${origin} ${name}` };
}

function licenceOf(list: readonly NamedValue[], name: string, origin: string): FoundLicence | undefined {
  const value = named(list, name);
  if (value === undefined) return undefined;
  const said = /^https?:\/\/\S+$/i.test(value) ? { url: value } : { text: value };
  return { ...said, origin: `${origin} ${name}` };
}
