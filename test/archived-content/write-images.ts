/** Writes the headers of images for tests, after their standards; what would be pixels is left out or empty. */
import { deflateSync } from 'node:zlib';

export const u8 = (...values: number[]): Buffer => Buffer.from(values);
export const u16be = (...values: number[]): Buffer => write(values, 2, (b, v, at) => b.writeUInt16BE(v, at));
export const u16le = (...values: number[]): Buffer => write(values, 2, (b, v, at) => b.writeUInt16LE(v, at));
export const u32be = (...values: number[]): Buffer => write(values, 4, (b, v, at) => b.writeUInt32BE(v, at));
export const u32le = (...values: number[]): Buffer => write(values, 4, (b, v, at) => b.writeUInt32LE(v, at));

function write(
  values: readonly number[],
  size: number,
  one: (b: Buffer, v: number, at: number) => void,
): Buffer {
  const bytes = Buffer.alloc(values.length * size);
  values.forEach((value, index) => {
    one(bytes, value, index * size);
  });
  return bytes;
}

type Part = Buffer | string;
export const join = (...parts: readonly Part[]): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)));

/** The checksum is not looked at. */
const chunk = (type: string, ...body: readonly Part[]): Buffer => {
  const bytes = join(...body);
  return join(u32be(bytes.length), type, bytes, u32be(0));
};

export const XMP_PACKET = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:photoshop="p" photoshop:City="Hafen"><dc:subject><rdf:Bag><rdf:li>tide</rdf:li><rdf:li>moon</rdf:li></rdf:Bag></dc:subject></rdf:Description></rdf:RDF></x:xmpmeta>`;

export function writePng(): Buffer {
  return join(
    '\x89PNG\r\n\x1a\n',
    chunk('IHDR', u32be(640, 480), u8(8, 6, 0, 0, 0)),
    chunk('pHYs', u32be(11811, 11811), u8(1)),
    chunk('sRGB', u8(0)),
    chunk('tEXt', 'Author\0Somebody'),
    chunk('zTXt', 'Comment\0\0', deflateSync(Buffer.from('packed words'))),
    chunk('iTXt', 'XML:com.adobe.xmp\0\0\0\0\0', XMP_PACKET),
    chunk('eXIf', writeExif('MM')),
    chunk('IDAT'),
    chunk('IEND'),
  );
}

interface Entry {
  readonly tag: number;
  readonly type: number;
  readonly count: number;
  readonly value: Buffer;
}

/** A directory and the values that do not fit into it, from a place in the file on. */
function directory(order: 'II' | 'MM', at: number, entries: readonly Entry[], next = 0): Buffer {
  const [u16, u32] = order === 'II' ? [u16le, u32le] : [u16be, u32be];
  const head = 2 + entries.length * 12 + 4;
  const values: Buffer[] = [];
  let place = at + head;
  const rows = entries.map(({ tag, type, count, value }) => {
    const row = join(u16(tag, type), u32(count));
    if (value.length <= 4) return join(row, value, Buffer.alloc(4 - value.length));
    const here = place;
    values.push(value);
    place += value.length;
    return join(row, u32(here));
  });
  return join(u16(entries.length), ...rows, u32(next), ...values);
}

const ascii = (tag: number, text: string): Entry => ({
  tag,
  type: 2,
  count: text.length + 1,
  value: join(text, u8(0)),
});

/** A camera, a time, and a place south of the equator and west of Greenwich. */
export function writeExif(order: 'II' | 'MM'): Buffer {
  const [u16, u32] = order === 'II' ? [u16le, u32le] : [u16be, u32be];
  const short = (tag: number, value: number): Entry => ({ tag, type: 3, count: 1, value: u16(value) });
  const long = (tag: number, value: number): Entry => ({ tag, type: 4, count: 1, value: u32(value) });
  const rational = (tag: number, ...parts: number[]): Entry => ({
    tag,
    type: 5,
    count: parts.length / 2,
    value: u32(...parts),
  });
  const exif = [ascii(0x9003, '2004:05:06 07:08:09'), rational(0x829a, 1, 250), short(0x8827, 200)];
  const gps = [
    ascii(1, 'S'),
    rational(2, 33, 1, 30, 1, 36, 1),
    ascii(3, 'W'),
    rational(4, 70, 1, 15, 1, 0, 1),
    rational(6, 1234, 10),
  ];
  const first = (exifAt: number, gpsAt: number) =>
    directory(order, 8, [
      ascii(0x010f, 'Acme'),
      ascii(0x0110, 'Box 1'),
      short(0x0112, 6),
      long(0x8769, exifAt),
      long(0x8825, gpsAt),
    ]);
  const exifAt = 8 + first(0, 0).length;
  const gpsAt = exifAt + directory(order, exifAt, exif).length;
  return join(
    order,
    u16(42),
    u32(8),
    first(exifAt, gpsAt),
    directory(order, exifAt, exif),
    directory(order, gpsAt, gps),
  );
}

const segment = (marker: number, ...body: readonly Part[]): Buffer => {
  const bytes = join(...body);
  return join(u8(0xff, marker), u16be(bytes.length + 2), bytes);
};

const iptcValue = (record: number, dataset: number, text: Part): Buffer => {
  const bytes = join(text);
  return join(u8(0x1c, record, dataset), u16be(bytes.length), bytes);
};

export function writeJpeg(): Buffer {
  const iptc = join(
    iptcValue(1, 90, '\x1b%G'),
    iptcValue(2, 105, Buffer.from('Größte Flut')),
    iptcValue(2, 25, 'tide'),
    iptcValue(2, 25, 'moon'),
  );
  const resource = join(
    '8BIM',
    u16be(0x0404),
    u8(0, 0),
    u32be(iptc.length),
    iptc,
    iptc.length % 2 ? u8(0) : '',
  );
  return join(
    u8(0xff, 0xd8),
    segment(0xe0, 'JFIF\0', u8(1, 2, 2), u16be(118, 118), u8(0, 0)),
    segment(0xe1, 'Exif\0\0', writeExif('II')),
    segment(0xe1, 'http://ns.adobe.com/xap/1.0/\0', XMP_PACKET),
    segment(0xed, 'Photoshop 3.0\0', resource),
    segment(0xfe, 'a comment'),
    segment(0xc2, u8(8), u16be(185, 142), u8(3)),
    segment(0xda, u8(0)),
    u8(0xff, 0xd9),
  );
}

export function writeGif(): Buffer {
  const frame = join(u8(0x2c), u16le(0, 0, 10, 20), u8(0), u8(2, 2, 0x4c, 0x01, 0));
  const comment = join(u8(0x21, 0xfe, 5), 'hello', u8(0));
  return join('GIF89a', u16le(10, 20), u8(0xf2, 0, 0), Buffer.alloc(24), comment, frame, frame, u8(0x3b));
}

const riff = (type: string, ...body: readonly Part[]): Buffer => {
  const bytes = join(...body);
  return join(type, u32le(bytes.length), bytes, bytes.length % 2 ? u8(0) : '');
};

export function writeWebp(): Buffer {
  const body = join(
    'WEBP',
    riff('VP8X', u8(0x1c, 0, 0, 0), u8(0x7f, 2, 0), u8(0xdf, 1, 0)),
    riff('VP8L', u8(0x2f), u32le(0)),
    riff('EXIF', writeExif('II')),
    riff('XMP ', XMP_PACKET),
  );
  return join('RIFF', u32le(body.length), body);
}

export function writeTiff(order: 'II' | 'MM' = 'II'): Buffer {
  const [u16, u32] = order === 'II' ? [u16le, u32le] : [u16be, u32be];
  const short = (tag: number, value: number): Entry => ({ tag, type: 3, count: 1, value: u16(value) });
  const entries = [
    short(256, 800),
    short(257, 600),
    { tag: 258, type: 3, count: 3, value: u16(16, 16, 16) },
    short(259, 5),
    short(262, 2),
    short(277, 3),
    { tag: 282, type: 5, count: 1, value: u32(600, 2) },
    { tag: 283, type: 5, count: 1, value: u32(300, 1) },
    { tag: 700, type: 1, count: XMP_PACKET.length, value: Buffer.from(XMP_PACKET) },
  ];
  const second = 8 + directory(order, 8, entries).length;
  return join(
    order,
    u16(42),
    u32(8),
    directory(order, 8, entries, second),
    directory(order, second, [short(256, 1)]),
  );
}

export function writeBmp(): Buffer {
  return join(
    'BM',
    u32le(54, 0, 54),
    u32le(40, 320, 2 ** 32 - 240),
    u16le(1, 24),
    u32le(0, 0, 2835, 2835, 0, 0),
  );
}

export function writeIco(): Buffer {
  const entry = (size: number, bits: number) => join(u8(size, size, 0, 0), u16le(1, bits), u32le(0, 0));
  return join(u16le(0, 1, 3), entry(16, 8), entry(0, 32), entry(32, 32));
}

const box = (type: string, ...body: readonly Part[]): Buffer => {
  const bytes = join(...body);
  return join(u32be(bytes.length + 8), type, bytes);
};

export function writeAvif(): Buffer {
  const properties = box(
    'ipco',
    box('ispe', u32be(0, 160, 120)),
    box('ispe', u32be(0, 1600, 1200)),
    box('pixi', u32be(0), u8(3, 10, 10, 10)),
    box('colr', 'nclx', u16be(9, 16, 9), u8(0)),
  );
  return join(box('ftyp', 'avif', u32be(0)), box('meta', u32be(0), box('iprp', properties)));
}

export function writeJp2(): Buffer {
  const header = box(
    'jp2h',
    box('ihdr', u32be(100, 200), u16be(3), u8(7, 7, 0, 0)),
    box('colr', u8(1, 0, 0), u32be(16)),
    box('res ', box('resc', u16be(11811, 1, 11811, 1), u8(0, 0))),
  );
  return join(box('jP  ', '\r\n\x87\n'), box('ftyp', 'jp2 '), header);
}
