import assert from 'node:assert/strict';
import { test } from 'node:test';
import { workerUrl } from './worker-url.ts';

test('a worker has the extension of the file that starts it', () => {
  assert.equal(
    workerUrl('file:///app/src/xml/xslt.ts', './xslt-worker').href,
    'file:///app/src/xml/xslt-worker.ts',
  );
  assert.equal(
    workerUrl('file:///app/dist/xml/xslt.js', './xslt-worker').href,
    'file:///app/dist/xml/xslt-worker.js',
  );
  assert.equal(workerUrl('file:///my%20app/a.v2.js?x=1', '../b').href, 'file:///b.js');
});
