/** METS taken in: our own packages come back as what they were, those of others as they are. */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { importPackage, sortPackages } from '../src/app/import-packages.ts';
import { openGarner } from '../src/app.ts';
import { OPERATOR } from '../src/core/access.ts';
import { defaultConfig } from '../src/core/config.ts';
import { silentLog } from '../src/core/log.ts';
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
  assert.deepEqual(record.document.fields.title, ['GAUGES, 2003-04-17 22:31']);

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

const box = (files: string): string =>
  `<mets xmlns="http://www.loc.gov/METS/" xmlns:xlink="http://www.w3.org/1999/xlink" OBJID="box-7" LABEL="A box of pages">
<fileSec><fileGrp>${files}</fileGrp></fileSec><structMap><div><fptr FILEID="F9"/></div></structMap></mets>`;

test('METS with files beside it gives captures, a snapshot, and the document itself; the rest is told', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'garner-mets-import-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  await mkdir(join(folder, 'box'));
  await writeFile(join(folder, 'box', 'a.html'), '<title>Altocumulus</title>');
  const path = join(folder, 'box', 'mets.xml');
  const text = box(
    '<file ID="F1" OWNERID="http://clouds.example/a"><FLocat LOCTYPE="URL" xlink:href="a.html"/></file>' +
      '<file ID="F2"><FLocat LOCTYPE="URL" xlink:href="gone.html"/></file>',
  );
  await writeFile(path, text);
  const only = join(folder, 'only.xml');
  await writeFile(
    only,
    box('<file ID="F1"><FLocat LOCTYPE="URL" xlink:href="http://clouds.example/b"/></file>'),
  );
  await using garner = await openGarner(defaultConfig(folder, { data: join(folder, 'data') }, {}), {
    extraSources: ['boxes'],
  });
  const { packages, others } = await sortPackages([path, only]);
  assert.deepEqual(others, [only], 'what only describes is a record like others');
  const [found] = packages;
  assert.equal(found?.kind, 'mets');
  const report = await importPackage(garner, 'boxes', found, silentLog);
  assert.equal(report.captures, 1);
  const told = await garner.store.runs.listProblems({ runId: report.runId, limit: 10 });
  assert.deepEqual(told.map(({ code }) => code).sort(), ['archive.record', 'mets.reference']);
  const titleOf = async (identifier: string) =>
    (await garner.store.items.findItem({ source: 'boxes', identifier }, OPERATOR))?.title;
  assert.equal(await titleOf('http://clouds.example/a'), 'Altocumulus');
  assert.equal(await titleOf(report.snapshot ?? ''), 'A box of pages');
  const kept = await garner.store.items.findContent({ source: 'boxes', identifier: 'box-7' }, {}, OPERATOR);
  assert.equal(Buffer.from(kept?.bytes ?? []).toString(), text);
});
