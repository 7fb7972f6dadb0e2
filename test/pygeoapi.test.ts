/** pygeoapi, OGC API Records as others wrote it: read whole, changed, read again. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { harvestOgc } from '../src/harvest/ogc/harvest-ogc.ts';
import { createBoundClient } from '../src/harvest/remote/bound-client.ts';
import { openKeep } from '../src/harvest/remote/origin.fixture.ts';
import { type PythonServer, skipWithout, startPython } from './python-server.ts';

const SERVER = `
import json, os, sys
from wsgiref.simple_server import make_server, WSGIRequestHandler
folder = sys.argv[1]
class Quiet(WSGIRequestHandler):
    def log_message(self, *words): pass
server = make_server('127.0.0.1', 0, lambda env, start: application(env, start), handler_class=Quiet)
url = 'http://127.0.0.1:%d' % server.server_port
x, there = 'x', 'http://x.example/'
provider = dict(type='record', name='TinyDBCatalogue', data=folder + '/records.db', id_field='externalId',
                time_field='recordCreated', title_field='title', editable=True)
config = {
    'server': dict(bind=dict(host='127.0.0.1', port=server.server_port), url=url, encoding='utf-8', gzip=True,
                   mimetype='application/json; charset=UTF-8', languages=['en-US'],
                   limits=dict(default_items=10, max_items=40), map=dict(url=there, attribution=x)),
    'logging': dict(level='ERROR'),
    'metadata': dict(
        identification=dict(title='Catalogue', description=x, keywords=[x], keywords_type='theme', terms_of_service=there, url=there),
        license=dict(name=x, url=there), provider=dict(name=x, url=there),
        contact=dict(name=x, email='a@x.example', url=there, role='pointOfContact')),
    'resources': dict(coast=dict(
        type='collection', title='Coast', description=x, keywords=[x], links=[],
        extents=dict(spatial=dict(bbox=[-180, -90, 180, 90], crs='http://www.opengis.net/def/crs/OGC/1.3/CRS84')),
        providers=[provider])),
}
with open(folder + '/records.db', 'w') as out: out.write('{"_default": {}}')
with open(folder + '/config.yml', 'w') as out: json.dump(config, out)
with open(folder + '/openapi.yml', 'w') as out: out.write('{"openapi": "3.0.2", "info": {"title": "x", "version": "1"}, "paths": {}}')
os.environ['PYGEOAPI_CONFIG'] = folder + '/config.yml'
os.environ['PYGEOAPI_OPENAPI'] = folder + '/openapi.yml'
from pygeoapi.flask_app import APP as application
print(url, flush=True)
server.serve_forever()
`;

void describe('pygeoapi', { skip: skipWithout('pygeoapi') }, () => {
  let folder: string;
  let server: PythonServer;
  /** What it holds, by identifier: titles. */
  const held = new Map<string, string>();

  async function change(method: 'POST' | 'PUT' | 'DELETE', id: string, title = '') {
    const items = `${server.url}/collections/coast/items`;
    const answer = await fetch(method === 'POST' ? items : `${items}/${id}`, {
      method,
      headers: { 'content-type': 'application/geo+json' },
      ...(method !== 'DELETE' && {
        body: JSON.stringify({
          type: 'Feature',
          id,
          geometry: { type: 'Point', coordinates: [10, 54] },
          properties: { externalId: id, type: 'dataset', title, recordCreated: '2020-01-01' },
        }),
      }),
    });
    assert.ok(answer.ok, `${answer.status} ${await answer.text()}`);
    if (method === 'DELETE') held.delete(id);
    else held.set(id, title);
  }

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'garner-pygeoapi-'));
    server = await startPython(SERVER, folder);
    for (let i = 0; i < 105; i++) await change('POST', `r-${i}`, `Küste & Meer ${i}`);
  });
  after(async () => {
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  for (const path of ['', '/collections/coast'])
    test(`all records come, then what changed, from ${path || 'the landing page'}`, async () => {
      const keep = await openKeep();
      const url = server.url + path;
      const client = createBoundClient({ userAgent: 'test', allowPrivate: true, sleep: async () => {} }, url);
      const harvest = () =>
        harvestOgc(
          { ...keep, client },
          { name: 'there', kind: 'ogc', url, pageSize: 25, maxDeleteShare: 0.5 },
        );
      const assertEqual = async () => {
        const shown: [string, unknown][] = [];
        for (const identifier of await keep.identifiers())
          shown.push([identifier.replace(/^coast\//, ''), (await keep.fields(identifier)).title]);
        assert.deepEqual(
          shown,
          [...held]
            .map(([id, title]) => [id, [title]])
            .toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
        );
      };
      try {
        const first = await harvest();
        assert.deepEqual([first.status, first.counts.added], ['complete', held.size], JSON.stringify(first));
        await assertEqual();
        const again = await harvest();
        assert.deepEqual([again.status, again.counts.unchanged], ['complete', held.size]);
        await change('PUT', 'r-7', `Changed ${path.length}`);
        await change('DELETE', path === '' ? 'r-11' : 'r-12');
        await change('POST', `new${path.length}`, 'New');
        const { status, counts } = await harvest();
        assert.deepEqual([status, counts.added, counts.updated, counts.deleted], ['complete', 1, 1, 1]);
        await assertEqual();
      } finally {
        client.close();
        await keep.close();
      }
    });
});
