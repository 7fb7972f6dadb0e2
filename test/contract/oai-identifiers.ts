/** The contract of items and runs: OAI identifiers. */
import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { ANONYMOUS } from '../../src/core/access.ts';
import { at, checks } from './item-checks.ts';
import { importRecords, makeRecord, type OpenStore } from './store-fixture.ts';

export function oaiIdentifiersContract(name: string, open: OpenStore): void {
  const check = checks(open);

  void describe(`${name}: OAI identifiers`, () => {
    check('the given URI, else the identifier if it is one, else a minted one', async ({ store }) => {
      await importRecords(store, 'samples', [
        makeRecord('plain id', 'x'),
        makeRecord('doi:10.1/x', 'x'),
        makeRecord('b', 'x', { oaiIdentifier: 'oai:elsewhere:b' }),
        makeRecord('c', 'x', { oaiIdentifier: 'not a URI' }),
        makeRecord('C:\\file', 'x'),
      ]);
      const oai = async (id: string) => (await store.items.findItem(at(id), ANONYMOUS))?.oaiIdentifier;
      assert.equal(await oai('plain id'), 'oai:example.org:samples:plain%20id');
      assert.equal(await oai('doi:10.1/x'), 'doi:10.1/x');
      assert.equal(await oai('b'), 'oai:elsewhere:b');
      assert.equal(await oai('c'), 'oai:example.org:samples:c');
      assert.equal(await oai('C:\\file'), 'oai:example.org:samples:C%3A%5Cfile');
      assert.equal(
        (await store.items.findItemByOaiIdentifier('oai:elsewhere:b', ANONYMOUS))?.identifier,
        'b',
      );
      return undefined;
    });

    check('a URI that another item has is not given twice, and none is ever changed', async ({ store }) => {
      await importRecords(store, 'samples', [
        makeRecord('doi:1', 'x'),
        makeRecord('z', 'x', { oaiIdentifier: 'oai:example.org:others:y' }),
      ]);
      await importRecords(store, 'others', [makeRecord('doi:1', 'x'), makeRecord('y', 'x')]);
      const oai = async (id: string, source: string) =>
        (await store.items.findItem(at(id, source), ANONYMOUS))?.oaiIdentifier;
      assert.equal(await oai('doi:1', 'samples'), 'doi:1');
      assert.equal(await oai('doi:1', 'others'), 'oai:example.org:others:doi%3A1');
      assert.equal(await oai('y', 'others'), 'oai:example.org:others:y:2');
      await importRecords(store, 'others', [makeRecord('doi:1', 'changed', { oaiIdentifier: 'oai:new:1' })]);
      assert.equal(await oai('doi:1', 'others'), 'oai:example.org:others:doi%3A1');
      const both = await store.items.findItemsByIdentifier('doi:1', ANONYMOUS);
      assert.deepEqual(
        both.map((item) => item.source),
        ['samples', 'others'],
      );
      return undefined;
    });
  });
}
