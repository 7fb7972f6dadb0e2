/**
 * Compressors that are used again and again: making one for every record costs about as much as compressing
 * a small page. Each works in the thread pool while the main thread goes on.
 */
import { constants, crc32, createDeflateRaw, type DeflateRaw } from 'node:zlib';

const CHUNK_BYTES = 64 * 1024;
/** RFC 1952 §2.3: deflate, no name, no time, made on Unix. */
const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]);

export interface GzipPool {
  /** One gzip member. */
  pack(bytes: Buffer): Promise<Buffer>;
  close(): void;
}

interface Engine {
  readonly deflate: DeflateRaw;
  parts: Buffer[];
  /** Of the work at hand. */
  fail: (error: Error) => void;
}

export function createGzipPool(level: number, size: number): GzipPool {
  const idle: Engine[] = [];
  const waiting: ((engine: Engine) => void)[] = [];
  let made = 0;
  let closed = false;

  const make = (): Engine => {
    made++;
    // More memory than usual makes deflate a quarter faster.
    const deflate = createDeflateRaw({ level, memLevel: 9, chunkSize: CHUNK_BYTES });
    const engine: Engine = { deflate, parts: [], fail: () => undefined };
    deflate.on('data', (part: Buffer) => engine.parts.push(part));
    deflate.on('error', (error) => engine.fail(error));
    return engine;
  };
  const take = (): Promise<Engine> | Engine =>
    idle.pop() ?? (made < size ? make() : new Promise<Engine>((resolve) => waiting.push(resolve)));
  const release = (engine: Engine): void => {
    const next = waiting.shift();
    if (next) next(engine);
    else if (closed) engine.deflate.close();
    else idle.push(engine);
  };
  const run = (engine: Engine, bytes: Buffer): Promise<Buffer> =>
    new Promise((resolve, reject) => {
      engine.fail = reject;
      engine.deflate.write(bytes);
      engine.deflate.flush(constants.Z_FINISH, () => {
        const trailer = Buffer.alloc(8);
        trailer.writeUInt32LE(crc32(bytes), 0);
        trailer.writeUInt32LE(bytes.length, 4);
        resolve(Buffer.concat([HEADER, ...engine.parts, trailer]));
        engine.parts = [];
        engine.deflate.reset();
      });
    });

  return {
    async pack(bytes) {
      const engine = await take();
      try {
        const packed = await run(engine, bytes);
        release(engine);
        return packed;
      } catch (error) {
        // An engine that failed is not used again; the next in line gets a new one.
        made--;
        engine.deflate.destroy();
        waiting.shift()?.(make());
        throw error;
      }
    },
    close() {
      closed = true;
      for (const { deflate } of idle.splice(0)) deflate.close();
    },
  };
}
