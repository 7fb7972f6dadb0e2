/** A BagIt bag (RFC 8493, version 1.0) written into a folder: files one after the other, digests on the way. */
import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { GarnerError } from '../../core/errors.ts';
import type { Instant } from '../../core/model.ts';
import {
  BAG_ALGORITHMS,
  BAG_DECLARATION,
  type BagInfo,
  writeBagInfo,
  writeManifestLine,
} from './bag-tags.ts';

export interface BagPayload {
  /** Below `data/`, with slashes. */
  readonly path: string;
  /** Makes the file, at a path whose folder is there. */
  readonly write: (target: string) => Promise<void>;
}

export interface BagReport {
  readonly files: number;
  readonly bytes: number;
}

/** The folder must be new or empty. It has its name only when the bag is whole. */
export async function writeBag(
  folder: string,
  payloads: AsyncIterable<BagPayload> | Iterable<BagPayload>,
  info: BagInfo,
  at: Instant,
): Promise<BagReport> {
  const target = resolve(folder);
  if (existsSync(target) && (await readdir(target)).length > 0)
    throw new GarnerError(
      'usage.invalid',
      `${folder} is not empty; a bag is written into a folder of its own`,
    );
  const unfinished = `${target}.unfinished`;
  // Of an export that was killed.
  await rm(unfinished, { recursive: true, force: true });
  try {
    const report = await fillBag(unfinished, payloads, info, at);
    if (existsSync(target)) await rmdir(target);
    await rename(unfinished, target);
    return report;
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw error;
  }
}

async function fillBag(
  folder: string,
  payloads: AsyncIterable<BagPayload> | Iterable<BagPayload>,
  info: BagInfo,
  at: Instant,
): Promise<BagReport> {
  await mkdir(join(folder, 'data'), { recursive: true });
  const manifests = BAG_ALGORITHMS.map((algorithm) => ({ algorithm, lines: '' }));
  let files = 0;
  let bytes = 0;
  for await (const { path, write } of payloads) {
    const name = `data/${path}`;
    const target = join(folder, ...name.split('/'));
    await mkdir(dirname(target), { recursive: true });
    await write(target);
    const digests = await digestsOf(target);
    for (const manifest of manifests)
      manifest.lines += writeManifestLine({ digest: digests[manifest.algorithm], path: name });
    files++;
    bytes += (await stat(target)).size;
  }
  const tags = new Map<string, string>([
    ['bagit.txt', BAG_DECLARATION],
    [
      'bag-info.txt',
      writeBagInfo([
        ...info,
        ['Bagging-Date', new Date(at).toISOString().slice(0, 10)],
        ['Bag-Size', sizeText(bytes)],
        ['Payload-Oxum', `${bytes}.${files}`],
      ]),
    ],
    ...manifests.map(({ algorithm, lines }) => [`manifest-${algorithm}.txt`, lines] as const),
  ]);
  for (const algorithm of BAG_ALGORITHMS) {
    const lines = [...tags]
      .filter(([path]) => !path.startsWith('tagmanifest-'))
      .map(([path, text]) =>
        writeManifestLine({ digest: createHash(algorithm).update(text).digest('hex'), path }),
      );
    tags.set(`tagmanifest-${algorithm}.txt`, lines.join(''));
  }
  for (const [path, text] of tags) await writeFile(join(folder, path), text);
  return { files, bytes };
}

type Digests = Record<(typeof BAG_ALGORITHMS)[number], string>;

async function digestsOf(path: string): Promise<Digests> {
  const sha256 = createHash('sha256');
  const sha512 = createHash('sha512');
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    sha256.update(chunk);
    sha512.update(chunk);
  }
  return { sha256: sha256.digest('hex'), sha512: sha512.digest('hex') };
}

/** For people; the exact number is in the Payload-Oxum. */
function sizeText(bytes: number): string {
  const units = ['bytes', 'KB', 'MB', 'GB', 'TB'];
  let size = bytes;
  let unit = 0;
  for (; size >= 1000 && unit < units.length - 1; unit++) size /= 1000;
  return `${unit === 0 ? size : size.toFixed(1)} ${units[unit]}`;
}
