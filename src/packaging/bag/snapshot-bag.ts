/** A snapshot as a bag: its WARC, its packages in XML, its record and its lists, with checksums of all. */
import { createReadStream, createWriteStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { readSeenLines } from '../../archive/items/index.ts';
import { safePart } from '../../archive/items/safe-name.ts';
import type { Viewer } from '../../core/access.ts';
import type { ItemRef } from '../../core/model.ts';
import type { Clock } from '../../core/time.ts';
import { webSnapshot } from '../../formats/web-snapshot.ts';
import type { GarnerStore, StoredCapture } from '../../store/index.ts';
import { type PackageChoice, type PackageForm, type PlaceRecord, packageFormsOf } from '../package-form.ts';
import { madeInScratch } from '../scratch.ts';
import { readSnapshot, type Snapshot } from '../snapshot/read-snapshot.ts';
import type { BagInfo } from './bag-tags.ts';
import { tarBag, zipBag } from './serialise-bag.ts';
import { type BagPayload, type BagReport, writeBag } from './write-bag.ts';

export interface BagDeps {
  readonly store: Pick<GarnerStore, 'items' | 'captures' | 'blobs'>;
  readonly dataFolder: string;
  readonly clock: Clock;
  readonly software: string;
  /** Who hands it over. */
  readonly organisation: string;
  /** The packages that go into it: those in XML. */
  readonly packages: readonly PackageForm[];
  /** All captures of the snapshot that the viewer may see, and what their revisits repeat, as one WARC file. */
  readonly writeWarc: (
    snapshot: ItemRef,
    version: number,
    target: string,
    viewer: Viewer,
    onCopied: (capture: StoredCapture, offset: number) => void,
  ) => Promise<unknown>;
}

export async function writeSnapshotBag(
  deps: BagDeps,
  ref: ItemRef,
  choice: PackageChoice,
  folder: string,
  viewer: Viewer,
): Promise<BagReport> {
  const snapshot = await readSnapshot(deps.store, ref, choice, viewer);
  return writeBag(folder, payloads(deps, snapshot, viewer), infoOf(deps, snapshot), deps.clock());
}

export const bagName = ({ identifier }: ItemRef): string => safePart(identifier);

function infoOf({ software, organisation }: BagDeps, { item, record, version }: Snapshot): BagInfo {
  return [
    ['Source-Organization', organisation],
    ['External-Identifier', item.oaiIdentifier],
    ['External-Description', `${item.title ?? record.title}; version ${version}`],
    ['Bag-Group-Identifier', record.series],
    ['Bag-Software-Agent', software],
  ];
}

async function* payloads(deps: BagDeps, snapshot: Snapshot, viewer: Viewer): AsyncGenerator<BagPayload> {
  const { store } = deps;
  const { item, record, version } = snapshot;
  const name = bagName(item);
  const warc = `${name}.warc.gz`;
  /** By where they lie in the archive. */
  const offsets = new Map<string, number>();
  yield {
    path: `warc/${warc}`,
    write: async (target) => {
      await deps.writeWarc(item, version, target, viewer, ({ file, offset }, copiedTo) =>
        offsets.set(`${file}@${offset}`, copiedTo),
      );
    },
  };
  const placeRecord: PlaceRecord = ({ file, offset }) => {
    const copied = offsets.get(`${file}@${offset}`);
    return copied === undefined ? undefined : { file: `../warc/${warc}`, offset: copied };
  };
  for (const form of packageFormsOf(deps.packages, item.records)) {
    if (!/xml/.test(form.mediaType)) continue;
    yield {
      path: `packages/${name}${form.extension}`,
      write: async (target) => {
        const pieces = await form.write(item, { version, placeRecord }, viewer);
        await pipeline(Readable.from(pieces, { objectMode: false }), createWriteStream(target));
      },
    };
  }
  yield {
    path: 'record/web_snapshot.json',
    write: (target) => writeFile(target, `${JSON.stringify(record, undefined, 2)}\n`),
  };
  async function* manifestLines(): AsyncGenerator<string> {
    for await (const line of readSeenLines(store, item.source, record, viewer))
      yield `${JSON.stringify(line)}\n`;
  }
  const copy = (path: string, digest: string): BagPayload => ({
    path,
    write: (target) => pipeline(Readable.from(store.blobs.read(digest)), createWriteStream(target)),
  });
  yield {
    path: 'record/captures.jsonl',
    write: (target) => pipeline(Readable.from(manifestLines()), createWriteStream(target)),
  };
  if (record.candidates) yield copy('record/candidates.json', record.candidates.digest);
}

const FORMS = [
  { name: 'bag', label: 'BagIt bag', mediaType: 'application/x-tar', extension: '.tar' },
  { name: 'bag-zip', label: 'BagIt bag', mediaType: 'application/zip', extension: '.zip' },
] as const;

export function bagForms(deps: BagDeps): PackageForm[] {
  return FORMS.map((form) => ({
    ...form,
    madeOf: [webSnapshot.name],
    write: (ref, choice, viewer) =>
      madeInScratch(deps.dataFolder, async (scratch) => {
        const folder = join(scratch, 'bag');
        await writeSnapshotBag(deps, ref, choice, folder, viewer);
        const at = deps.clock();
        if (form.name === 'bag') return tarBag(folder, bagName(ref), at);
        const target = join(scratch, 'bag.zip');
        await zipBag(folder, bagName(ref), at, target);
        return createReadStream(target);
      }),
  }));
}
