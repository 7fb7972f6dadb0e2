import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Bloom } from './bloom.ts';

const texts = Array.from({ length: 1000 }, (_, i) => `PRODUCT-${i * 7919}`);

test('a filter has everything that was put in, also when it was written, read and joined', () => {
  const filter = new Bloom();
  for (const text of texts) filter.add(text);
  assert.ok(texts.every((text) => filter.mayHave(text)));
  const joined = new Bloom();
  joined.add('other');
  joined.join(Bloom.parse(filter.toString()) ?? new Bloom());
  assert.ok([...texts, 'other'].every((text) => joined.mayHave(text)));
});

test('it knows most of what was not', () => {
  const filter = new Bloom();
  for (const text of texts) filter.add(text);
  const wrong = texts.filter((text) => filter.mayHave(`${text}-x`)).length;
  assert.ok(wrong < 50, `${wrong} of 1000`);
});

test('a filter that is full has everything', () => {
  const filter = Bloom.parse(Buffer.alloc(2048, 0xff).toString('base64'));
  assert.ok(filter);
  filter.add('one more');
  assert.ok(filter.mayHave('one more') && filter.mayHave('never put in'));
});

test('what is no filter is refused', () => {
  assert.equal(Bloom.parse(''), undefined);
  assert.equal(Bloom.parse('AAAA'), undefined);
});
