import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { dublinCore, iso, openRepository, type TestRepository } from '../../test/oai-repository.ts';

const BROWSER = {
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8',
  'upgrade-insecure-requests': '1',
};

let repository: TestRepository;
before(async () => {
  repository = await openRepository({ oai: { pageSize: 500 } });
  const { commit, extract } = repository;
  await commit('ocean', {
    records: [
      extract(dublinCore('urn:a:1', 'Tide &amp; <b xmlns="urn:x">time</b>')),
      ...Array.from({ length: 30 }, (_, i) => extract(iso(`iso-${i}`, `Current ${i}`))),
    ],
  });
  repository.wait(10);
});
after(() => repository.close());

const get = (query: string, headers: Record<string, string>) =>
  fetch(`${repository.baseUrl}?${query}`, { headers });
const typeOf = (response: Response) => response.headers.get('content-type')?.split(';')[0];

test('programs get XML whatever they accept, unless it is nothing else than HTML', async () => {
  const cases: readonly (readonly [headers: Record<string, string>, type: string])[] = [
    [{}, 'text/xml'],
    [{ accept: '*/*' }, 'text/xml'],
    [{ accept: 'text/xml, text/html;q=0.5' }, 'text/xml'],
    // What Java's HttpURLConnection sends by itself, and what crawlers pretend.
    [{ accept: 'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2' }, 'text/xml'],
    [{ accept: BROWSER.accept }, 'text/xml'],
    [{ ...BROWSER, accept: '*/*' }, 'text/xml'],
    [{ accept: 'text/html' }, 'text/html'],
    [BROWSER, 'text/html'],
  ];
  for (const [headers, type] of cases) {
    const response = await get('verb=Identify', headers);
    assert.equal(typeOf(response), type, JSON.stringify(headers));
    const vary = (response.headers.get('vary') ?? '').toLowerCase().split(/, */);
    assert.ok(vary.includes('accept') && vary.includes('upgrade-insecure-requests'), vary.join());
  }
  const posted = await fetch(repository.baseUrl, {
    method: 'POST',
    headers: BROWSER,
    body: new URLSearchParams({ verb: 'Identify' }),
  });
  assert.equal(typeOf(posted), 'text/xml');
});

test('errors have pages, too, with HTTP 200', async () => {
  for (const query of [
    '',
    'verb=junk',
    'verb=ListRecords&metadataPrefix=nope',
    'verb=GetRecord&identifier=%22%3Cx%00',
  ]) {
    const response = await get(query, BROWSER);
    assert.equal(response.status, 200);
    assert.match(
      await response.text(),
      /role="alert"><strong>(?:badVerb|badArgument|cannotDisseminateFormat)</,
    );
  }
});

test('a page of a list leads to the next one, which still tells what the list is of', async () => {
  const first = await (
    await get('verb=ListRecords&metadataPrefix=iso19139&set=source:ocean', BROWSER)
  ).text();
  assert.match(first, /1–20 of 30/);
  const next = /<a href="\/oai\?([^"]*)" rel="next"/.exec(first)?.[1]?.replaceAll('&amp;', '&');
  const second = await (await get(next ?? '', BROWSER)).text();
  assert.match(second, /21–30 of 30/);
  assert.match(second, /<dt>set<\/dt><dd><code>source:ocean</);
  assert.match(second, /verb=GetRecord&amp;metadataPrefix=iso19139&amp;identifier=/);
  assert.match(second, /&lt;gmd:MD_Metadata/);
});

test('what records hold is text on the page', async () => {
  const page = await (await get('verb=GetRecord&metadataPrefix=oai_dc&identifier=urn:a:1', BROWSER)).text();
  assert.match(page, /<dd>Tide &amp; time<\/dd>/);
  assert.doesNotMatch(page, /<b xmlns/);
});
