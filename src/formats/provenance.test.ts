import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findProvenance, type OriginDescription, writeProvenance } from './provenance.ts';

const hop: OriginDescription = {
  baseURL: 'https://a.example/oai?x=1&y=2',
  identifier: 'oai:a.example:<1>',
  datestamp: '2026-01-02',
  metadataNamespace: 'urn:x',
  harvestDate: '2026-01-03T04:05:06Z',
  altered: true,
};

test('provenance is read back from an origin, hop by hop, and written escaped', () => {
  const origin = { where: 'x', provenance: { ...hop, altered: false, originDescription: hop } };
  const found = findProvenance(JSON.parse(JSON.stringify(origin)));
  assert.deepEqual(found, { ...hop, altered: false, originDescription: hop });
  const written = writeProvenance(found ?? hop);
  assert.match(written, /altered="false"><baseURL>https:\/\/a\.example\/oai\?x=1&amp;y=2</);
  assert.match(
    written,
    /<\/metadataNamespace><originDescription harvestDate="2026-01-03T04:05:06Z" altered="true">/,
  );
  assert.match(written, /oai:a\.example:&lt;1&gt;/);
});

test('an origin that tells of no harvest has no provenance, a broken hop ends the chain', () => {
  assert.equal(findProvenance({ where: 'file.xml', line: 3 }), undefined);
  assert.equal(findProvenance(null), undefined);
  assert.equal(findProvenance({ provenance: { ...hop, datestamp: 'last year' } }), undefined);
  assert.deepEqual(findProvenance({ provenance: { ...hop, originDescription: { baseURL: 7 } } }), hop);
});

test('a chain of hops that never ends is cut', () => {
  let chain: OriginDescription = hop;
  for (let i = 0; i < 100; i++) chain = { ...hop, originDescription: chain };
  const hops =
    writeProvenance(findProvenance({ provenance: chain }) ?? hop).split('<originDescription ').length - 1;
  assert.equal(hops, 32);
});
