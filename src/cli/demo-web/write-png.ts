/** A picture of drifting fog: grey levels, eight bits (PNG, ISO/IEC 15948). */
import { crc32, deflateSync } from 'node:zlib';

const WIDTH = 320;
const HEIGHT = 160;
const GREY = 0;

export function writeFogPicture(): Buffer {
  const rows = Buffer.alloc(HEIGHT * (WIDTH + 1));
  for (let y = 0; y < HEIGHT; y++)
    // The first byte of a row names its filter: none.
    for (let x = 0; x < WIDTH; x++)
      rows[y * (WIDTH + 1) + x + 1] =
        128 + 60 * Math.sin(x / 37 + Math.sin(y / 23)) + 50 * Math.sin(y / 19 + Math.cos(x / 41));
  const header = Buffer.alloc(13);
  header.writeUInt32BE(WIDTH, 0);
  header.writeUInt32BE(HEIGHT, 4);
  header.set([8, GREY, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(name: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(named), 4);
  return Buffer.concat([ends.subarray(0, 4), named, ends.subarray(4)]);
}
