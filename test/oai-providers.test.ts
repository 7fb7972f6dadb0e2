/** Providers that others wrote, over records that a test changes: pyoai and oai-repo, where they are installed. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { harvestOai } from '../src/harvest/oai/index.ts';
import { openKeep } from '../src/harvest/remote/origin.fixture.ts';
import { skipWithout, startPython } from './python-server.ts';

/** `answer` is given the arguments of a request, and gives the bytes of a document. */
const SERVER = `
import json, sys
from datetime import datetime
from urllib.parse import parse_qsl
from wsgiref.simple_server import make_server, WSGIRequestHandler
class Quiet(WSGIRequestHandler):
    def log_message(self, *words): pass
def respond(env, start):
    start('200 OK', [('Content-Type', 'text/xml; charset=utf-8')])
    return [answer(dict(parse_qsl(env['QUERY_STRING'])))]
server = make_server('127.0.0.1', 0, respond, handler_class=Quiet)
url = 'http://127.0.0.1:%d/oai' % server.server_port
def instant(text): return datetime.strptime(text, '%Y-%m-%dT%H:%M:%SZ')
def records():
    return [dict(record, at=instant(record['datestamp'])) for record in json.load(open(sys.argv[1]))]
`;
const SERVE = `
print(url, flush=True)
server.serve_forever()
`;

const PYOAI = `${SERVER}
from oaipmh import common, metadata, server as oai
registry = metadata.MetadataRegistry()
registry.registerWriter('oai_dc', oai.oai_dc_writer)
class Backend(object):
    def identify(self):
        return common.Identify('x', url, '2.0', ['a@x.example'], datetime(2020, 1, 1), 'persistent', 'YYYY-MM-DDThh:mm:ssZ', [])
    def listMetadataFormats(self, identifier=None):
        return [('oai_dc', 'http://www.openarchives.org/OAI/2.0/oai_dc.xsd', 'http://www.openarchives.org/OAI/2.0/oai_dc/')]
    def header(self, record):
        return common.Header(None, record['identifier'], record['at'], [], record['deleted'])
    def whole(self, record):
        fields = common.Metadata(None, {'title': [record['title']]})
        return (self.header(record), None if record['deleted'] else fields, None)
    def select(self, from_, until):
        return [r for r in records() if (from_ is None or r['at'] >= from_) and (until is None or r['at'] <= until)]
    def listRecords(self, metadataPrefix, set=None, from_=None, until=None, cursor=0, batch_size=10):
        return [self.whole(record) for record in self.select(from_, until)[cursor:cursor + batch_size]]
    def listIdentifiers(self, metadataPrefix, set=None, from_=None, until=None, cursor=0, batch_size=10):
        return [self.header(record) for record in self.select(from_, until)[cursor:cursor + batch_size]]
repository = oai.BatchingServer(Backend(), metadata_registry=registry, resumption_batch_size=20)
def answer(arguments): return repository.handleRequest(arguments)
${SERVE}`;

const OAI_REPO = `${SERVER}
import oai_repo
from lxml import etree
DC = 'http://www.openarchives.org/OAI/2.0/oai_dc/'
class Backend(oai_repo.DataInterface):
    limit = 20
    def get_identify(self):
        return oai_repo.Identify(repository_name='x', base_url='http://x.example/oai', admin_email=['a@x.example'],
                                 earliest_datestamp='2020-01-01T00:00:00Z', deleted_record='persistent', granularity='YYYY-MM-DDThh:mm:ssZ')
    def find(self, identifier): return next((r for r in records() if r['identifier'] == identifier), None)
    def is_valid_identifier(self, identifier): return self.find(identifier) is not None
    def get_metadata_formats(self, identifier=None):
        return [oai_repo.MetadataFormat('oai_dc', 'http://www.openarchives.org/OAI/2.0/oai_dc.xsd', DC)]
    def get_record_header(self, identifier):
        record = self.find(identifier)
        return oai_repo.RecordHeader(identifier=identifier, datestamp=record['datestamp'], status='deleted' if record['deleted'] else None)
    def get_record_metadata(self, identifier, metadataprefix):
        record = self.find(identifier)
        if record['deleted']: return None
        dc = etree.Element('{%s}dc' % DC, nsmap={'oai_dc': DC, 'dc': 'http://purl.org/dc/elements/1.1/'})
        etree.SubElement(dc, '{http://purl.org/dc/elements/1.1/}title').text = record['title']
        return dc
    def get_record_abouts(self, identifier): return []
    def list_set_specs(self, identifier=None, cursor=0): return [], 0, None
    def list_identifiers(self, metadataprefix, filter_from=None, filter_until=None, filter_set=None, cursor=0):
        found = [r['identifier'] for r in records()
                 if (filter_from is None or r['at'] >= filter_from.replace(tzinfo=None)) and (filter_until is None or r['at'] <= filter_until.replace(tzinfo=None))]
        return found[cursor:cursor + self.limit], len(found), None
repository = oai_repo.OAIRepository(Backend())
def answer(arguments): return bytes(repository.process(arguments))
${SERVE}`;

interface Entry {
  readonly identifier: string;
  readonly datestamp: string;
  readonly title: string;
  readonly deleted: boolean;
}

void describe('providers of others', () => {
  for (const [name, module, program, tellsDeletions] of [
    ['pyoai', 'oaipmh.server', PYOAI, true],
    // It leaves deleted records out of its lists, and counts them.
    ['oai-repo', 'oai_repo', OAI_REPO, false],
  ] as const)
    test(`${name}: all records come, then what was added, changed and deleted`, {
      skip: skipWithout(module),
    }, async () => {
      const folder = await mkdtemp(join(tmpdir(), 'garner-oai-'));
      const path = join(folder, 'records.json');
      const at = (day: number) => `2021-01-${String(day).padStart(2, '0')}T10:00:00Z`;
      let entries: Entry[] = Array.from({ length: 107 }, (_, i) => ({
        identifier: `oai:x.example:${i}`,
        datestamp: at(1 + (i % 28)),
        title: `Küste & Meer ${i}`,
        deleted: tellsDeletions && i % 10 === 9,
      }));
      const change = (i: number, more: Partial<Entry>) => {
        // Far in the future: whenever the first harvest was, this is after it.
        entries = entries.map((entry, n) =>
          n === i ? { ...entry, datestamp: '2098-01-01T00:00:00Z', ...more } : entry,
        );
      };
      await writeFile(path, JSON.stringify(entries));
      const keep = await openKeep();
      const server = await startPython(program, path);
      const harvest = () =>
        harvestOai(
          { ...keep, policy: { userAgent: 'test', allowPrivate: true, sleep: async () => {} } },
          {
            name: 'there',
            url: server.url,
            prefixes: { oai_dc: undefined },
            feed: 'records',
            fullEveryDays: 30,
            maxDeleteShare: 0.5,
          },
        );
      const assertEqual = async () => {
        const live = entries.filter(({ deleted }) => !deleted);
        assert.deepEqual(await keep.identifiers(), live.map(({ identifier }) => identifier).toSorted());
        for (const { identifier, title } of live)
          assert.deepEqual((await keep.fields(identifier)).title, [title]);
      };
      try {
        const first = await harvest();
        const live = entries.filter(({ deleted }) => !deleted).length;
        assert.deepEqual([first.status, first.counts.added], ['complete', live], JSON.stringify(first));
        await assertEqual();
        change(3, { title: 'Changed' });
        if (tellsDeletions) {
          change(4, { deleted: true });
          change(9, { deleted: false, title: 'Back again' });
        }
        entries = [
          ...entries,
          {
            identifier: 'oai:x.example:new',
            datestamp: '2098-01-02T00:00:00Z',
            title: 'New',
            deleted: false,
          },
        ];
        await writeFile(path, JSON.stringify(entries));
        const { status, counts, records } = await harvest();
        assert.deepEqual(
          [status, counts.added, counts.updated, counts.deleted, records],
          tellsDeletions ? ['complete', 2, 1, 1, 4] : ['complete', 1, 1, 0, 2],
        );
        await assertEqual();
      } finally {
        await server.stop();
        await keep.close();
        await rm(folder, { recursive: true, force: true });
      }
    });
});
