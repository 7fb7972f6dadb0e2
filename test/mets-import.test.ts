/** METS taken in: our own packages come back as what they were, those of others as they are. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OPERATOR } from '../src/core/access.ts';
import { createFormatRegistry } from '../src/formats/registry.ts';
import { createExtraction } from '../src/harvest/extract-record.ts';
import type { RecordPiece } from '../src/harvest/ingest.ts';
import { openCapturedSite } from '../src/packaging/captured-site.fixture.ts';
import { metsForm } from '../src/packaging/mets/mets-form.ts';
import { createSiteModels } from '../src/packaging/site-model/site-models.ts';

const formats = createFormatRegistry();
const extract = createExtraction({ formats, validation: 'report' });
const publisher = { name: 'Harbour archive', baseUrl: 'https://archive.example', software: 'Garner/test' };

const pieceOf = (bytes: Uint8Array): RecordPiece => ({
  bytes,
  syntax: 'xml',
  where: 'a.xml',
  line: 1,
  fallbackIdentifier: 'a.xml',
});

test('a package of ours is imported under the identifier of its snapshot, and given back byte by byte', async (t) => {
  const site = await openCapturedSite(t);
  const form = metsForm({ ...site, models: createSiteModels(site), publisher });
  let text = '';
  for await (const piece of await form.write(site.snapshot, {}, OPERATOR)) text += piece;
  const { record, problems } = extract(pieceOf(Buffer.from(text)));
  assert.deepEqual(problems, []);
  assert.equal(record?.format, 'mets');
  assert.equal(record.identifier, site.snapshot.identifier);
  assert.deepEqual(record.document.fields.title, ['GAUGES, 2003-04-17']);

  const { id: runId } = await site.store.runs.startRun('web', 'import');
  await site.store.items.commit({ source: 'web', runId, records: [{ ...record, identifier: 'copy' }] });
  await site.store.runs.finishRun(runId, 'complete');
  const stored = await site.store.items.findContent({ source: 'web', identifier: 'copy' }, {}, OPERATOR);
  assert.equal(Buffer.from(stored?.bytes ?? []).toString(), text);
});

test('of METS by others the description is searched, and broken references are told with their line', () => {
  const { record, problems } = extract(
    pieceOf(
      Buffer.from(`<m:mets xmlns:m="http://www.loc.gov/METS/" OBJID="log-7" LABEL="A log">
<m:dmdSec ID="A"><m:mdWrap MDTYPE="MODS"><m:xmlData><mods xmlns="http://www.loc.gov/mods/v3"><titleInfo><title>Wrong one</title></titleInfo></mods></m:xmlData></m:mdWrap></m:dmdSec>
<m:dmdSec ID="B"><m:mdWrap MDTYPE="MODS"><m:xmlData><mods xmlns="http://www.loc.gov/mods/v3"><titleInfo><title>Log of the Aurora</title></titleInfo><subject><topic>voyages</topic></subject><originInfo><dateIssued>1882</dateIssued></originInfo></mods></m:xmlData></m:mdWrap></m:dmdSec>
<m:structMap><m:div DMDID="B"><m:fptr FILEID="nowhere"/></m:div></m:structMap>
</m:mets>`),
    ),
  );
  assert.equal(record?.identifier, 'log-7');
  assert.deepEqual(record.document.fields.title, ['Log of the Aurora']);
  assert.deepEqual(record.document.fields.subject, ['voyages']);
  assert.deepEqual(record.document.fields.date, ['1882']);
  assert.deepEqual(
    problems.map(({ code, message, line, identifier }) => [code, message, line, identifier]),
    [['mets.reference', 'FILEID "nowhere" is not in the document', 4, 'log-7']],
  );
});
