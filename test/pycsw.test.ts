/** pycsw, a catalogue that others wrote: read whole, then for what changed, by CSW and by its OAI-PMH. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { harvestCsw } from '../src/harvest/csw/harvest-csw.ts';
import { harvestOai } from '../src/harvest/oai/index.ts';
import { createBoundClient } from '../src/harvest/remote/bound-client.ts';
import { type Keep, openKeep } from '../src/harvest/remote/origin.fixture.ts';
import { type PythonServer, skipWithout, startPython } from './python-server.ts';

const SERVER = `
import os, sys
from wsgiref.simple_server import make_server, WSGIRequestHandler
folder = sys.argv[1]
database = 'sqlite:///%s/records.db' % folder
config = os.path.join(folder, 'pycsw.cfg')
class Quiet(WSGIRequestHandler):
    def log_message(self, *words): pass
server = make_server('127.0.0.1', 0, lambda env, start: application(env, start), handler_class=Quiet)
url = 'http://127.0.0.1:%d/' % server.server_port
sections = {
    'server': dict(home='.', url=url, mimetype='application/xml; charset=UTF-8', encoding='UTF-8', language='en-US',
                   maxrecords='40', gzip_compresslevel='6', profiles='apiso'),
    'manager': dict(transactions='true', allowed_ips='127.0.0.1'),
    'metadata:main': {name: 'x' for name in (
        'identification_title identification_abstract identification_keywords identification_keywords_type '
        'identification_fees identification_accessconstraints provider_name provider_url contact_name contact_position '
        'contact_address contact_city contact_stateorprovince contact_postalcode contact_country contact_phone '
        'contact_fax contact_email contact_url contact_hours contact_instructions contact_role').split()},
    'repository': dict(database=database, table='records'),
}
with open(config, 'w') as out:
    for section, values in sections.items():
        out.write('[%s]\\n' % section)
        for name, value in values.items(): out.write('%s=%s\\n' % (name, value))
os.environ['PYCSW_CONFIG'] = config
from pycsw.core import admin
stdout, sys.stdout = sys.stdout, open(os.devnull, 'w')
admin.setup_db(database, 'records', '')
from pycsw.wsgi import application
print(url, file=stdout, flush=True)
server.serve_forever()
`;

const DAY_MS = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);
const OLD = '2020-01-01';

const text = (element: string, value: string) =>
  `<gmd:${element}><gco:CharacterString>${value}</gco:CharacterString></gmd:${element}>`;

const iso = (identifier: string, title: string, day: string) =>
  `<gmd:MD_Metadata xmlns:gmd="http://www.isotc211.org/2005/gmd" xmlns:gco="http://www.isotc211.org/2005/gco">${text('fileIdentifier', identifier)}` +
  `<gmd:hierarchyLevel><gmd:MD_ScopeCode codeList="x" codeListValue="dataset">dataset</gmd:MD_ScopeCode></gmd:hierarchyLevel>` +
  `<gmd:contact/><gmd:dateStamp><gco:Date>${day}</gco:Date></gmd:dateStamp><gmd:identificationInfo><gmd:MD_DataIdentification><gmd:citation><gmd:CI_Citation>` +
  `${text('title', title)}<gmd:date><gmd:CI_Date><gmd:date><gco:Date>${day}</gco:Date></gmd:date><gmd:dateType><gmd:CI_DateTypeCode codeList="x" codeListValue="publication"/></gmd:dateType></gmd:CI_Date></gmd:date></gmd:CI_Citation></gmd:citation>` +
  `${text('abstract', `About ${title}`)}<gmd:language><gco:CharacterString>en</gco:CharacterString></gmd:language></gmd:MD_DataIdentification></gmd:identificationInfo></gmd:MD_Metadata>`;

void describe('pycsw', { skip: skipWithout('pycsw.server') }, () => {
  let folder: string;
  let server: PythonServer;
  /** What the catalogue holds, by identifier: titles. */
  const held = new Map<string, string>();

  async function transact(inside: string): Promise<void> {
    const answer = await fetch(server.url, {
      method: 'POST',
      headers: { 'content-type': 'application/xml', 'accept-encoding': 'identity' },
      body: `<csw:Transaction xmlns:csw="http://www.opengis.net/cat/csw/2.0.2" xmlns:ogc="http://www.opengis.net/ogc" service="CSW" version="2.0.2">${inside}</csw:Transaction>`,
    });
    const told = await answer.text();
    assert.match(told, /TransactionSummary/, told);
  }
  async function put(verb: 'Insert' | 'Update', records: readonly (readonly [string, string, string])[]) {
    await transact(
      records
        .map(([identifier, title, day]) => `<csw:${verb}>${iso(identifier, title, day)}</csw:${verb}>`)
        .join(''),
    );
    for (const [identifier, title] of records) held.set(identifier, title);
  }
  async function remove(identifier: string) {
    await transact(
      `<csw:Delete><csw:Constraint version="1.1.0"><ogc:Filter><ogc:PropertyIsEqualTo><ogc:PropertyName>apiso:Identifier</ogc:PropertyName><ogc:Literal>${identifier}</ogc:Literal></ogc:PropertyIsEqualTo></ogc:Filter></csw:Constraint></csw:Delete>`,
    );
    held.delete(identifier);
  }

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'garner-pycsw-'));
    server = await startPython(SERVER, folder);
    await put(
      'Insert',
      Array.from({ length: 130 }, (_, i) => [`urn:c:${i}`, `Küste &amp; Meer ${i}`, OLD] as const),
    );
  });
  after(async () => {
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  async function assertEqual(keep: Keep, identifierOf = (identifier: string) => identifier) {
    assert.deepEqual(await keep.identifiers(), [...held.keys()].map(identifierOf).toSorted());
    for (const [identifier, title] of held)
      assert.deepEqual((await keep.fields(identifierOf(identifier))).title, [title.replace('&amp;', '&')]);
  }

  test('all records come, then those that changed, and what went is noticed', async () => {
    const keep = await openKeep();
    const policy = { userAgent: 'test', allowPrivate: true, sleep: async () => {} };
    const client = createBoundClient(policy, server.url);
    const harvest = () =>
      harvestCsw(
        { ...keep, client },
        {
          name: 'there',
          maxDeleteShare: 0.5,
          url: server.url,
          typeNames: 'csw:Record',
          pageSize: 30,
          fullEveryDays: 30,
        },
      );
    try {
      const first = await harvest();
      assert.deepEqual([first.status, first.counts.added], ['complete', 130], JSON.stringify(first));
      await assertEqual(keep);

      const nothing = await harvest();
      assert.deepEqual([nothing.status, nothing.records], ['complete', 0], JSON.stringify(nothing));

      const today = daysAgo(0);
      await put('Update', [['urn:c:7', 'Changed', today]]);
      await put('Insert', [['urn:c:new', 'New', today]]);
      const changes = await harvest();
      assert.deepEqual(
        [changes.status, changes.records, changes.counts.added, changes.counts.updated],
        ['complete', 2, 1, 1],
      );
      await assertEqual(keep);

      await remove('urn:c:11');
      await put('Insert', [
        ['urn:c:late', 'Late, of old', OLD],
        ['urn:c:later', 'Another', OLD],
      ]);
      const compared = await harvest();
      assert.deepEqual([compared.status, compared.counts.added, compared.counts.deleted], ['complete', 2, 1]);
      await assertEqual(keep);
    } finally {
      client.close();
      await keep.close();
    }
  });

  test('its OAI-PMH gives the same records in two formats, and what changed', async () => {
    const keep = await openKeep();
    const harvest = (full: boolean) =>
      harvestOai(
        { ...keep, policy: { userAgent: 'test', allowPrivate: true, sleep: async () => {} } },
        {
          name: 'there',
          url: `${server.url}?mode=oaipmh`,
          prefixes: { oai_dc: 'oai_dc', iso19139: 'iso19139' },
          feed: 'records',
          fullEveryDays: 30,
          maxDeleteShare: 0.5,
        },
        { full },
      );
    try {
      const first = await harvest(false);
      assert.deepEqual([first.status, first.counts.added, first.problems], ['complete', 2 * held.size, 0]);
      await assertEqual(keep);

      await put('Update', [['urn:c:8', 'Changed, too', daysAgo(0)]]);
      await put('Insert', [['urn:c:newer', 'Newer', daysAgo(0)]]);
      const changes = await harvest(false);
      assert.deepEqual([changes.status, changes.counts.added], ['complete', 2], JSON.stringify(changes));
      await assertEqual(keep);

      await remove('urn:c:12');
      const compared = await harvest(true);
      assert.deepEqual([compared.status, compared.counts.deleted], ['complete', 2], JSON.stringify(compared));
      await assertEqual(keep);
    } finally {
      await keep.close();
    }
  });
});
