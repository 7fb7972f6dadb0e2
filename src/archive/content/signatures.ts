/**
 * What the first bytes of a file tell. After the WHATWG MIME Sniffing Standard §6, with the formats that
 * web archives hold beside those of browsers.
 */
interface Signature {
  readonly type: string;
  /** Bytes as a Latin-1 string, where `?` in `mask` stands for any byte. */
  readonly bytes: string;
  readonly mask?: string;
  readonly offset?: number;
}

const signature = (type: string, bytes: string, mask?: string, offset?: number): Signature => ({
  type,
  bytes,
  ...(mask === undefined ? {} : { mask }),
  ...(offset === undefined ? {} : { offset }),
});

const SIGNATURES: readonly Signature[] = [
  signature('application/pdf', '%PDF-'),
  signature('application/postscript', '%!PS-Adobe-'),
  signature('image/png', '\x89PNG\r\n\x1a\n'),
  signature('image/gif', 'GIF87a'),
  signature('image/gif', 'GIF89a'),
  signature('image/jpeg', '\xff\xd8\xff'),
  signature('image/webp', 'RIFF\0\0\0\0WEBPVP', 'XXXX????XXXXXX'),
  signature('image/tiff', 'II*\0'),
  signature('image/tiff', 'MM\0*'),
  signature('image/x-icon', '\0\0\x01\0'),
  signature('image/x-icon', '\0\0\x02\0'),
  signature('image/vnd.adobe.photoshop', '8BPS'),
  signature('image/jp2', '\0\0\0\x0cjP  \r\n\x87\n'),
  signature('image/jxl', '\0\0\0\x0cJXL \r\n\x87\n'),
  signature('image/jxl', '\xff\x0a'),
  signature('image/vnd.djvu', 'AT&TFORM'),
  signature('audio/wav', 'RIFF\0\0\0\0WAVE', 'XXXX????XXXX'),
  signature('video/x-msvideo', 'RIFF\0\0\0\0AVI ', 'XXXX????XXXX'),
  signature('audio/aiff', 'FORM\0\0\0\0AIFF', 'XXXX????XXXX'),
  signature('audio/basic', '.snd'),
  signature('audio/midi', 'MThd\0\0\0\x06'),
  signature('audio/mpeg', 'ID3'),
  signature('audio/flac', 'fLaC'),
  signature('application/ogg', 'OggS\0'),
  signature('video/webm', '\x1aE\xdf\xa3'),
  signature('video/x-flv', 'FLV\x01'),
  signature('video/mpeg', '\0\0\x01\xba'),
  signature('video/mpeg', '\0\0\x01\xb3'),
  signature('video/x-ms-asf', '0&\xb2u\x8ef\xcf\x11'),
  signature('application/vnd.rn-realmedia', '.RMF'),
  signature('video/quicktime', 'moov', undefined, 4),
  signature('video/quicktime', 'mdat', undefined, 4),
  signature('application/x-shockwave-flash', 'FWS'),
  signature('application/x-shockwave-flash', 'CWS'),
  signature('application/x-shockwave-flash', 'ZWS'),
  signature('application/x-director', 'RIFX'),
  signature('application/x-director', 'XFIR'),
  signature('application/java-vm', '\xca\xfe\xba\xbe'),
  signature('font/woff', 'wOFF'),
  signature('font/woff2', 'wOF2'),
  signature('font/otf', 'OTTO'),
  signature('font/ttf', '\0\x01\0\0'),
  signature('font/collection', 'ttcf'),
  signature('application/vnd.ms-fontobject', 'LP', undefined, 34),
  signature('application/gzip', '\x1f\x8b\x08'),
  signature('application/zip', 'PK\x03\x04'),
  signature('application/zip', 'PK\x05\x06'),
  signature('application/vnd.rar', 'Rar!\x1a\x07'),
  signature('application/x-7z-compressed', '7z\xbc\xaf\x27\x1c'),
  signature('application/x-bzip2', 'BZh'),
  signature('application/x-xz', '\xfd7zXZ\0'),
  signature('application/zstd', '\x28\xb5\x2f\xfd'),
  signature('application/x-tar', 'ustar', undefined, 257),
  signature('application/x-ole-storage', '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'),
  signature('application/rtf', '{\\rtf'),
  signature('application/wasm', '\0asm'),
  signature('application/vnd.sqlite3', 'SQLite format 3\0'),
  signature('application/warc', 'WARC/'),
  signature('application/netcdf', 'CDF\x01'),
  signature('application/netcdf', 'CDF\x02'),
  signature('application/netcdf', 'CDF\x05'),
  signature('application/x-hdf5', '\x89HDF\r\n\x1a\n'),
  signature('application/fits', 'SIMPLE  ='),
  signature('application/vnd.apache.parquet', 'PAR1'),
];

/** The type that the bytes betray by a signature no text would have by chance. */
export function signatureType(head: string): string | undefined {
  for (const { type, bytes, mask, offset = 0 } of SIGNATURES)
    if (matches(head, bytes, mask, offset)) return refine(type, head);
  return bitmapType(head) ?? isoMediaType(head) ?? mpegAudioType(head);
}

function matches(head: string, bytes: string, mask: string | undefined, offset: number): boolean {
  if (mask === undefined) return head.startsWith(bytes, offset);
  for (let at = 0; at < bytes.length; at++)
    if (mask[at] !== '?' && head[offset + at] !== bytes[at]) return false;
  return true;
}

function refine(type: string, head: string): string {
  switch (type) {
    case 'application/zip':
      return zipType(head);
    case 'application/ogg':
      if (head.includes('OpusHead') || head.includes('\x01vorbis')) return 'audio/ogg';
      return head.includes('theora') ? 'video/ogg' : type;
    case 'video/webm':
      return head.slice(0, 64).includes('matroska') ? 'video/x-matroska' : type;
    default:
      return type;
  }
}

const OPEN_XML: readonly (readonly [folder: string, type: string])[] = [
  ['word/', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  ['xl/', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  ['ppt/', 'application/vnd.openxmlformats-officedocument.presentationml.presentation'],
];

function zipType(head: string): string {
  // EPUB and OpenDocument put their type, unpacked, into the first entry.
  const mimetype = /^.{26}\x08\0.{2}mimetype([\w.+/-]{5,100}?)(?:PK|$)/s.exec(head)?.[1];
  if (mimetype) return mimetype;
  if (head.includes('[Content_Types].xml') || head.includes('_rels/.rels'))
    for (const [folder, type] of OPEN_XML) if (head.includes(folder)) return type;
  return head.includes('META-INF/MANIFEST.MF') ? 'application/java-archive' : 'application/zip';
}

/** `BM` alone begins many words: the size of the info header must be one that exists. */
function bitmapType(head: string): string | undefined {
  if (!head.startsWith('BM') || head.length < 18) return undefined;
  const header = head.charCodeAt(14);
  const known = header === 12 || header === 40 || header === 56 || header === 108 || header === 124;
  return known && head.charCodeAt(15) === 0 ? 'image/bmp' : undefined;
}

const BRANDS: Readonly<Record<string, string>> = {
  avif: 'image/avif',
  avis: 'image/avif',
  heic: 'image/heic',
  heix: 'image/heic',
  mif1: 'image/heif',
  'qt  ': 'video/quicktime',
  'M4A ': 'audio/mp4',
  'M4B ': 'audio/mp4',
  '3gp4': 'video/3gpp',
  '3gp5': 'video/3gpp',
};

function isoMediaType(head: string): string | undefined {
  if (head.slice(4, 8) !== 'ftyp') return undefined;
  return BRANDS[head.slice(8, 12)] ?? 'video/mp4';
}

/** MPEG-1/2 layer III without ID3: a frame header whose fields are all legal (ISO 11172-3 §2.4.2.3). */
function mpegAudioType(head: string): string | undefined {
  if (head.charCodeAt(0) !== 0xff) return undefined;
  const second = head.charCodeAt(1);
  const third = head.charCodeAt(2);
  const layerThree = (second & 0xe6) === 0xe2 && (second & 0x18) !== 0x08;
  return layerThree && third >> 4 !== 0 && third >> 4 !== 15 && (third & 0x0c) !== 0x0c
    ? 'audio/mpeg'
    : undefined;
}
