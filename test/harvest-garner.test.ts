/** Garner harvests Garner, which harvested somebody else: identifiers, deletions and provenance go through. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { createSourceIngest, type Garner, openGarner } from '../src/app.ts';
import { defaultConfig } from '../src/core/config.ts';
import type { ConfigInput } from '../src/core/config-schema.ts';
import { silentLog } from '../src/core/log.ts';
import { harvestSource } from '../src/harvest/harvest-source.ts';
import { sourcePolicy } from '../src/harvest/http/source-policy.ts';
import type { ImportReport } from '../src/harvest/run/report.ts';
import { serveGarner } from '../src/http/index.ts';
import { temporaryFolder } from './garner-process.ts';
import { dublinCore, makeRecords, type ProviderRecord, provider, serveProviders } from './oai-provider.ts';

type SourceInput = NonNullable<ConfigInput['sources']>[string];

async function openWith(folder: string, source: SourceInput): Promise<Garner> {
  return openGarner(defaultConfig(folder, { sources: { s: source } }, {}));
}

async function harvest(garner: Garner): Promise<ImportReport> {
  const { store, formats, config } = garner;
  const source = config.sources.s;
  assert.ok(source && 'attempts' in source);
  const ingest = createSourceIngest(garner, 's');
  try {
    return await harvestSource(
      { store, ingest, formats, policy: sourcePolicy(source, config.repository) },
      's',
      source,
    );
  } finally {
    await ingest.close();
  }
}

const identifiersOf = async ({ store }: Garner) =>
  (await store.items.listRaw('s', 0, 1000)).map(({ identifier }) => identifier).toSorted();
/** Lists show closed seconds only. */
const nextSecond = () => new Promise((resolve) => setTimeout(resolve, 1100));

test('what goes through two Garners keeps its identifiers, its deletions and the way it came', async (t) => {
  let records: ProviderRecord[] = makeRecords(7, (i) => ({ sets: i % 2 ? ['odd'] : ['even', 'even:more'] }));
  const origin = await serveProviders(new Map([['/oai', provider(() => records)]]));
  t.after(() => origin.close());
  const first = await openWith(temporaryFolder(t), {
    kind: 'oai',
    url: `${origin.url}/oai`,
    allowPrivate: true,
  });
  t.after(() => first[Symbol.asyncDispose]());
  assert.equal((await harvest(first)).status, 'complete');
  const middle = await serveGarner(first, { host: '127.0.0.1', port: 0, log: silentLog });
  t.after(() => middle.close());
  await nextSecond();

  const second = await openWith(temporaryFolder(t), {
    kind: 'oai',
    url: `${middle.url}/oai`,
    allowPrivate: true,
  });
  t.after(() => second[Symbol.asyncDispose]());
  const report = await harvest(second);
  assert.equal(report.status, 'complete', JSON.stringify(report));
  assert.deepEqual(await identifiersOf(second), records.map(({ identifier }) => identifier).toSorted());
  const last = await serveGarner(second, { host: '127.0.0.1', port: 0, log: silentLog });
  t.after(() => last.close());
  await nextSecond();
  const shown = await fetch(
    `${last.url}/oai?verb=GetRecord&metadataPrefix=oai_dc&identifier=${encodeURIComponent('oai:t.example:2')}`,
  );
  const xml = await shown.text();
  assert.match(xml, /<identifier>oai:t\.example:2<\/identifier>/);
  assert.match(xml, /<dc:title>Record 2<\/dc:title>/);
  const hops = [...xml.matchAll(/<baseURL>([^<]*)<\/baseURL>/g)].map(([, url]) => url);
  assert.deepEqual(hops, [`${middle.url}/oai`, `${origin.url}/oai`]);
  const item = await second.store.items.findItem(
    { source: 's', identifier: 'oai:t.example:1' },
    { role: 'reader', groups: [] },
  );
  assert.ok(
    item?.sets.some((set) => set === 'even:more'),
    JSON.stringify(item?.sets),
  );

  records = [
    ...records.slice(2),
    { ...records[0]!, datestamp: '2026-01-02T00:00:00Z', deleted: true },
    { ...records[1]!, datestamp: '2026-01-02T00:00:00Z', title: 'Changed' },
  ];
  assert.equal((await harvest(first)).counts.deleted, 1);
  await nextSecond();
  const { counts } = await harvest(second);
  assert.deepEqual([counts.deleted, counts.updated], [1, 1]);
});

test('filters keep out, a stylesheet changes, a schema refuses, and broken records are mended first', async (t) => {
  const folder = temporaryFolder(t);
  const broken = makeRecords(6, (i) => ({
    metadata: dublinCore([`Ice & snow`, 'Draft of ice', 'Ice', 'Sand', 'Ice\u0001 drift', ''][i] ?? ''),
  }));
  const origin = await serveProviders(new Map([['/oai', provider(broken)]]));
  t.after(() => origin.close());
  writeFileSync(
    join(folder, 'louder.xsl'),
    `<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:dc="http://purl.org/dc/elements/1.1/">
      <xsl:template match="@*|node()"><xsl:copy><xsl:apply-templates select="@*|node()"/></xsl:copy></xsl:template>
      <xsl:template match="dc:title"><dc:title><xsl:value-of select="."/>!</dc:title></xsl:template>
    </xsl:stylesheet>`,
  );
  writeFileSync(
    join(folder, 'short.xsd'),
    `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:dc="http://purl.org/dc/elements/1.1/" targetNamespace="http://www.openarchives.org/OAI/2.0/oai_dc/" elementFormDefault="qualified">
      <xs:import namespace="http://purl.org/dc/elements/1.1/" schemaLocation="dc.xsd"/>
      <xs:element name="dc"><xs:complexType><xs:sequence><xs:element ref="dc:title"/></xs:sequence></xs:complexType></xs:element>
    </xs:schema>`,
  );
  writeFileSync(
    join(folder, 'dc.xsd'),
    `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="http://purl.org/dc/elements/1.1/"><xs:element name="title"><xs:simpleType><xs:restriction base="xs:string"><xs:minLength value="2"/></xs:restriction></xs:simpleType></xs:element></xs:schema>`,
  );
  const garner = await openWith(folder, {
    kind: 'oai',
    url: `${origin.url}/oai`,
    allowPrivate: true,
    xslt: 'louder.xsl',
    xsd: 'short.xsd',
    validation: 'reject',
    accept: "not(contains(//dc:title, 'Sand'))",
    deny: ["contains(//dc:title, 'Draft')"],
  });
  t.after(() => garner[Symbol.asyncDispose]());
  const report = await harvest(garner);
  assert.equal(report.status, 'incomplete', 'the schema refused one');
  assert.equal(report.code, 'source.losses');
  assert.deepEqual(await identifiersOf(garner), ['oai:t.example:1', 'oai:t.example:3', 'oai:t.example:5']);
  const mended = await garner.store.items.findItem(
    { source: 's', identifier: 'oai:t.example:5' },
    { role: 'reader', groups: [] },
  );
  assert.equal(mended?.title, 'Ice drift!');
  const problems = await garner.store.runs.listProblems({ runId: report.runId, limit: 100 });
  assert.deepEqual(problems.map(({ code, identifier }) => `${code} ${identifier}`).toSorted(), [
    'record.repaired oai:t.example:1',
    'record.repaired oai:t.example:5',
    'xml.invalid oai:t.example:6',
  ]);
});
