import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  writeAvif,
  writeBmp,
  writeExif,
  writeGif,
  writeIco,
  writeJp2,
  writeJpeg,
  writePng,
  writeTiff,
  writeWebp,
} from '../../../../test/archived-content/write-images.ts';
import { readContent } from '../read-content.ts';
import { readExif } from './exif.ts';
import { readImage } from './read-image.ts';

const read = async (bytes: Uint8Array) => {
  const { extracted, problems } = await readContent({ url: 'http://a.example/picture', bytes });
  assert.deepEqual(problems, []);
  return extracted.image;
};

const XMP = [
  { name: 'photoshop:City', value: 'Hafen' },
  { name: 'dc:subject', value: 'tide' },
  { name: 'dc:subject', value: 'moon' },
];
const EXIF = {
  tags: [
    { name: 'Make', value: 'Acme' },
    { name: 'Model', value: 'Box 1' },
    { name: 'Orientation', value: '6' },
    { name: 'DateTimeOriginal', value: '2004:05:06 07:08:09' },
    { name: 'ExposureTime', value: '0.004' },
    { name: 'ISOSpeedRatings', value: '200' },
  ],
  takenAt: '2004-05-06T07:08:09Z',
  camera: 'Acme Box 1',
  orientation: 6,
  position: { latitude: -33.51, longitude: -70.25, altitude: 123.4 },
};

test('a PNG tells size, depth, colour, resolution, texts, Exif and XMP', async () => {
  assert.deepEqual(await read(writePng()), {
    format: 'PNG',
    compression: 'deflate',
    byteOrder: 'big-endian',
    width: 640,
    height: 480,
    bitDepth: 8,
    colourSpace: 'RGB with alpha',
    samplesPerPixel: 4,
    resolution: { x: 300, y: 300 },
    colourProfile: 'sRGB',
    texts: [
      { name: 'Author', value: 'Somebody' },
      { name: 'Comment', value: 'packed words' },
    ],
    xmp: XMP,
    exif: EXIF,
  });
});

test('a JPEG tells size, compression, resolution, Exif, IPTC, XMP and comments', async () => {
  assert.deepEqual(await read(writeJpeg()), {
    format: 'JPEG',
    byteOrder: 'big-endian',
    resolution: { x: 299.72, y: 299.72 },
    exif: EXIF,
    xmp: XMP,
    iptc: [
      { name: 'Headline', value: 'Größte Flut' },
      { name: 'Keywords', value: 'tide' },
      { name: 'Keywords', value: 'moon' },
    ],
    texts: [{ name: 'Comment', value: 'a comment' }],
    compression: 'JPEG progressive',
    bitDepth: 8,
    height: 185,
    width: 142,
    samplesPerPixel: 3,
    colourSpace: 'YCbCr',
  });
});

test('a GIF tells its palette, frames and comments', async () => {
  assert.deepEqual(await read(writeGif()), {
    format: 'GIF',
    compression: 'LZW',
    colourSpace: 'palette',
    byteOrder: 'little-endian',
    samplesPerPixel: 1,
    width: 10,
    height: 20,
    bitDepth: 3,
    texts: [{ name: 'Comment', value: 'hello' }],
    frames: 2,
  });
});

test('a WebP tells size, alpha, Exif and XMP', async () => {
  assert.deepEqual(await read(writeWebp()), {
    format: 'WebP',
    byteOrder: 'little-endian',
    bitDepth: 8,
    width: 640,
    height: 480,
    samplesPerPixel: 4,
    compression: 'VP8 lossless',
    colourSpace: 'RGB',
    exif: EXIF,
    xmp: XMP,
  });
});

for (const order of ['II', 'MM'] as const) {
  test(`a TIFF in the order ${order} tells the facts of its first image and counts the others`, async () => {
    assert.deepEqual(await read(writeTiff(order)), {
      format: 'TIFF',
      byteOrder: order === 'II' ? 'little-endian' : 'big-endian',
      width: 800,
      height: 600,
      bitDepth: 16,
      samplesPerPixel: 3,
      compression: 'LZW',
      colourSpace: 'RGB',
      resolution: { x: 300, y: 300 },
      xmp: XMP,
      frames: 2,
    });
  });
}

test('a bitmap whose rows run downwards has a positive height', async () => {
  assert.deepEqual(await read(writeBmp()), {
    format: 'BMP',
    byteOrder: 'little-endian',
    width: 320,
    height: 240,
    samplesPerPixel: 3,
    bitDepth: 8,
    colourSpace: 'RGB',
    compression: 'none',
    resolution: { x: 72.01, y: 72.01 },
  });
});

test('an icon is as large as its largest image', async () => {
  const icon = await read(writeIco());
  assert.deepEqual([icon?.format, icon?.width, icon?.height, icon?.frames], ['ICO', 256, 256, 3]);
});

test('AVIF and JPEG 2000 tell size, depth and colour from their boxes', async () => {
  const avif = await read(writeAvif());
  assert.deepEqual(
    [avif?.width, avif?.height, avif?.bitDepth, avif?.samplesPerPixel, avif?.colourSpace, avif?.compression],
    [1600, 1200, 10, 3, 'BT.2020', 'AV1'],
  );
  const jp2 = await read(writeJp2());
  assert.deepEqual(
    [jp2?.width, jp2?.height, jp2?.bitDepth, jp2?.samplesPerPixel, jp2?.colourSpace, jp2?.resolution?.x],
    [200, 100, 8, 3, 'sRGB', 300],
  );
});

test('an image that is cut gives what it has and says so', () => {
  const jpeg = writeJpeg();
  const reading = readImage(jpeg.subarray(0, jpeg.length - 12), 'image/jpeg');
  assert.match(reading?.problem ?? '', /ends early/);
  assert.equal(reading?.properties.exif?.camera, 'Acme Box 1');
});

test('a directory that points to itself ends', () => {
  const ring = writeTiff();
  // The second directory's link to the next becomes a link to itself.
  const second = ring.length - 18;
  ring.writeUInt32LE(second, ring.length - 4);
  assert.equal(readImage(ring, 'image/tiff')?.properties.frames, 2);
});

test('a position outside of the globe is none', () => {
  const exif = writeExif('MM');
  exif.writeUInt32BE(333, exif.indexOf(Buffer.from([0, 0, 0, 33])));
  assert.equal(readExif(exif)?.position, undefined);
  assert.equal(readExif(Buffer.from('no')), undefined);
});

test('the descriptions in an image give its title, dates and licence', async () => {
  const { extracted } = await readContent({ url: 'http://a.example/p.jpg', bytes: writeJpeg() });
  assert.equal(extracted.title, 'Größte Flut');
  assert.deepEqual(extracted.dates, [
    {
      value: '2004-05-06T07:08:09Z',
      written: '2004-05-06T07:08:09Z',
      meaning: 'created',
      origin: 'exif DateTimeOriginal',
    },
  ]);
});

test('a drawing tells its size, its title and its words', async () => {
  const svg = (attributes: string) =>
    readContent({
      url: 'http://a.example/d.svg',
      bytes: Buffer.from(
        `<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" ${attributes}><title>Tide gauge</title><text>high water</text></svg>`,
      ),
    });
  const { extracted, text } = await svg('width="1in" height="48.5" viewBox="0 0 1 1"');
  assert.deepEqual(extracted.image, { format: 'SVG', width: 96, height: 48.5 });
  assert.equal(extracted.title, 'Tide gauge');
  assert.equal(text, 'high water');
  assert.deepEqual((await svg('viewBox="0,0 30 20" width="100%"')).extracted.image, {
    format: 'SVG',
    width: 30,
    height: 20,
  });
  assert.deepEqual((await svg('')).extracted.image, { format: 'SVG' });
});
