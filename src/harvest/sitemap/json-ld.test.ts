import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findJsonLd } from './json-ld.ts';

const page = (...scripts: string[]) =>
  `<!doctype html><title>x</title>${scripts.map((script) => `<script type="application/ld+json">${script}</script>`).join('<p>between')}<script>var a = {"@type":"Dataset"};</script>`;
const names = (html: string, types?: string[]) =>
  findJsonLd(html, types).things.map((thing) => (thing as { name?: string }).name);

test('things are found alone, in lists and in graphs, each with its context', () => {
  const html = page(
    '{"@context":"https://schema.org","@type":"Dataset","name":"one"}',
    '[{"@context":"http://schema.org/","@type":"Dataset","name":"two"}]',
    '{"@context":{"@vocab":"https://schema.org/"},"@graph":[{"@type":"Dataset","name":"three"},{"@type":"WebSite","name":"site"}]}',
  );
  assert.deepEqual(names(html), ['one', 'two', 'three']);
  assert.deepEqual(findJsonLd(html).things[2], {
    '@context': { '@vocab': 'https://schema.org/' },
    '@type': 'Dataset',
    name: 'three',
  });
});

test('page furniture and other vocabularies are left out, and types can be chosen', () => {
  const html = page(
    '{"@context":"https://schema.org","@type":["Organization","Corporation"],"name":"owner"}',
    '{"@context":"https://schema.org","@type":"schema:Map","name":"map"}',
    '{"@context":"https://w3id.org/other","@type":"Dataset","name":"foreign"}',
    '{"@context":"https://schema.org","@type":"Article","name":"article"}',
  );
  assert.deepEqual(names(html), ['map', 'article']);
  assert.deepEqual(names(html, ['Organization', 'Map']), ['owner', 'map']);
});

test('wrapped scripts are unwrapped, broken ones counted, entities left as they are', () => {
  const html = page(
    '//<![CDATA[\n{"@context":"https://schema.org","@type":"Dataset","name":"cd"}\n//]]>',
    '<!-- {"@context":"https://schema.org","@type":"Dataset","name":"a &amp; b < c"} -->',
    '{"@type":"Dataset",',
  );
  assert.deepEqual(names(html), ['cd', 'a &amp; b < c']);
  assert.equal(findJsonLd(html).broken, 1);
});
