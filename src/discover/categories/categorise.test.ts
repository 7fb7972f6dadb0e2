import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FusedCandidate } from '../fusion/fuse.ts';
import { type CandidateKind, categorise, type Look } from './categorise.ts';

const candidate = (url: string, facts: Partial<FusedCandidate> = {}): FusedCandidate => ({
  key: url,
  url,
  originals: [url],
  weight: 1,
  ranks: {},
  ...facts,
});

const CASES: readonly (readonly [
  url: string,
  kind: CandidateKind,
  facts?: Partial<FusedCandidate>,
  look?: Look,
])[] = [
  ['http://isccp.giss.nasa.gov/', 'home page'],
  ['http://www.atmos.umd.edu/~srb/', 'home page'],
  ['http://dss.ucar.edu/datasets/ds742.0/docs/1983.SchifferRossow.pdf', 'PDF paper'],
  ['http://www.gewex.org/PAN-GEWEX-MTG/Pan-GEWEX_ISCCP-2006.pdf', 'slides'],
  ['http://example.org/flyer.pdf', 'other'],
  ['http://pubs.giss.nasa.gov/abstracts/1983/Schiffer_Rossow.html', 'article'],
  ['https://doi.org/10.1029/96jd03865', 'article'],
  ['http://gcmd.nasa.gov/records/GCMD_LDEO_ISCCP.html', 'data set page'],
  ['https://github.com/example/isccp', 'software'],
  ['https://example.org/news/2024/clouds', 'news'],
  ['https://example.org/a', 'data set page', { work: 'dataset' }],
  ['https://example.org/talk', 'slides', {}, { mediaType: 'application/vnd.ms-powerpoint', by: 'header' }],
  ['https://example.org/photo', 'image', {}, { mediaType: 'image/jpeg', by: 'content' }],
  ['https://example.org/x', 'other'],
];

for (const [url, kind, facts, look] of CASES) {
  test(`${url} ${look ? `as ${look.mediaType} ` : ''}is ${kind}, with a reason`, () => {
    const category = categorise(candidate(url, facts), look);
    assert.equal(category.kind, kind, category.reason);
    assert.ok(category.reason.length > 0);
  });
}

test('bytes win over what the engine says, the engine over the name', () => {
  const address = 'https://example.org/thing.html';
  const looked = categorise(candidate(address, { mediaType: 'text/html' }), {
    mediaType: 'application/pdf',
    by: 'content',
  });
  assert.deepEqual([looked.html, looked.by], [false, 'content']);
  const told = categorise(candidate(address, { mediaType: 'application/pdf' }));
  assert.deepEqual([told.html, told.by], [false, 'engine']);
  const named = categorise(candidate('https://example.org/thing.pdf'));
  assert.deepEqual([named.html, named.by], [false, 'name']);
  const unknown = categorise(candidate('https://example.org/thing'));
  assert.deepEqual([unknown.html, unknown.by, unknown.mediaType], [true, 'default', undefined]);
});
