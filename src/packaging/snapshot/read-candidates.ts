/** The ranked list that a snapshot was crawled from, as it was kept with it. */
import { GarnerError } from '../../core/errors.ts';
import { parseJson } from '../../formats/extract-json.ts';
import type { WebSnapshot } from '../../formats/web-snapshot.ts';
import type { GarnerStore } from '../../store/index.ts';
import type { CandidateList } from '../didl/candidate-list.ts';

export async function readCandidates(
  { blobs }: Pick<GarnerStore, 'blobs'>,
  { candidates }: Pick<WebSnapshot, 'candidates'>,
): Promise<CandidateList | undefined> {
  if (!candidates) return undefined;
  const parts: Uint8Array[] = [];
  for await (const part of blobs.read(candidates.digest)) parts.push(part);
  const list = parseJson(Buffer.concat(parts));
  if (isList(list)) return list;
  throw new GarnerError('store.corrupt', 'a stored list of candidates is none');
}

const isList = (value: unknown): value is CandidateList =>
  typeof value === 'object' && value !== null && 'candidates' in value && Array.isArray(value.candidates);
