import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CONTENT_LIMITS } from '../limits.ts';
import { readContent } from '../read-content.ts';
import { textForIndex } from '../text.ts';
import { countWords } from './plain-text.ts';

const URL_OF_PAGE = 'http://www.example.org/2004/05/06/tides.html';
type Headers = readonly (readonly [string, string])[];
const read = (html: string, headers: Headers = [], limits = CONTENT_LIMITS) =>
  readContent(
    {
      url: URL_OF_PAGE,
      bytes: Buffer.from(html),
      headers: [['Content-Type', 'text/html; charset=utf-8'], ...headers],
    },
    { limits },
  );

/** After the page whose META tags are the table of the paper that described such an archive first. */
const OLD_PAGE = `<HTML><HEAD><TITLE>
  Harbour   Tides &ndash; Home</TITLE>
<META NAME="description" CONTENT="All about
   tides"><META NAME="Keywords" CONTENT="tide, harbour, moon"><META HTTP-EQUIV="Content-Language" CONTENT="en-GB">
<meta name="DC.Title" content="Tides" lang="en"><meta name="DC.Date.Created" scheme="W3CDTF" content="1999-11-30"><META name="dcterms:modified" content="2001-02-03">
<meta name="orgcode" content="913"><meta name="rating" content="general"><meta name="citation_author" content="Tidewater, A."><meta name="citation_publication_date" content="1999/11/30">
<link rel="schema.DC" href="http://purl.example.org/dc/"><meta content="no name"><meta name="empty">
<meta name=robots content="NOINDEX, follow"><meta name="examplebot" content="noarchive"></HEAD>
<BODY><H1>Tides</H1><TABLE><TR><TD>High<TD>Low</TABLE><P>First<P>Second <SCRIPT>var no = 1</SCRIPT>line<BR>third
<H2>More <A HREF="x.html">about</A> it</H2></BODY></HTML>`;

test('an old page gives its title and every META tag in order, as written', async () => {
  const { extracted } = await read(OLD_PAGE);
  assert.equal(extracted.title, 'Harbour Tides – Home');
  assert.deepEqual(
    extracted.meta.map(({ attribute, name, content }) => [attribute, name, content]),
    [
      ['name', 'description', 'All about tides'],
      ['name', 'Keywords', 'tide, harbour, moon'],
      ['http-equiv', 'Content-Language', 'en-GB'],
      ['name', 'DC.Title', 'Tides'],
      ['name', 'DC.Date.Created', '1999-11-30'],
      ['name', 'dcterms:modified', '2001-02-03'],
      ['name', 'orgcode', '913'],
      ['name', 'rating', 'general'],
      ['name', 'citation_author', 'Tidewater, A.'],
      ['name', 'citation_publication_date', '1999/11/30'],
      ['name', 'robots', 'NOINDEX, follow'],
      ['name', 'examplebot', 'noarchive'],
    ],
  );
});

test('Dublin Core and citations are told apart by the names of META tags', async () => {
  const { extracted } = await read(OLD_PAGE);
  assert.deepEqual(extracted.dublinCore, [
    { vocabulary: 'dc', element: 'title', value: 'Tides', language: 'en' },
    { vocabulary: 'dc', element: 'date', refinement: 'created', value: '1999-11-30', scheme: 'W3CDTF' },
    { vocabulary: 'dcterms', element: 'modified', value: '2001-02-03' },
  ]);
  assert.deepEqual(extracted.citation, [
    { name: 'author', value: 'Tidewater, A.' },
    { name: 'publication_date', value: '1999/11/30' },
  ]);
});

test('dates come with what they mean and where they were found', async () => {
  const { extracted } = await read(OLD_PAGE, [['last-modified', 'Sun, 26 Jan 2003 04:05:37 GMT']]);
  assert.deepEqual(
    extracted.dates.map(({ meaning, value, origin }) => [meaning, value, origin]),
    [
      ['created', '1999-11-30', 'meta DC.Date.Created'],
      ['modified', '2001-02-03', 'meta dcterms:modified'],
      ['published', '1999-11-30', 'meta citation_publication_date'],
      ['modified', '2003-01-26T04:05:37Z', 'header last-modified'],
      ['published', '2004-05-06', 'url'],
    ],
  );
});

test('headings, visible text and words are those that a reader sees', async () => {
  const { extracted, text, mainText } = await read(OLD_PAGE);
  assert.deepEqual(extracted.headings, [
    { level: 1, text: 'Tides' },
    { level: 2, text: 'More about it' },
  ]);
  assert.equal(text, 'Tides\nHigh\nLow\nFirst\nSecond line\nthird\nMore about it');
  assert.equal(mainText, undefined);
  assert.equal(extracted.wordCount, 10);
});

test('robots are told by META, by name, and by header', async () => {
  const { robots } = await read(OLD_PAGE, [
    ['X-Robots-Tag', 'otherbot: nofollow, noarchive'],
    ['x-robots-tag', 'max-snippet:5'],
  ]);
  assert.deepEqual(robots, [
    { userAgent: 'otherbot', directive: 'nofollow', from: 'header' },
    { userAgent: 'otherbot', directive: 'noarchive', from: 'header' },
    { directive: 'max-snippet:5', from: 'header' },
    { directive: 'noindex', from: 'meta' },
    { directive: 'follow', from: 'meta' },
    { userAgent: 'examplebot', directive: 'noarchive', from: 'meta' },
  ]);
});

const MODERN_PAGE = `<!doctype html><html lang="de"><head><title>Gezeiten</title>
<meta property="og:title" content="Gezeiten im Hafen"><meta property="article:published_time" content="2021-03-04T05:06:07+01:00"><meta name="twitter:card" content="summary">
<link rel="license" href="/licence/by"><meta property="og:locale" content="de_DE">
<script type="application/ld+json">// <![CDATA[
{"@context":"https://schema.org","@graph":[{"@type":"Article","datePublished":"2021-03-04","dateModified":"2021-04","license":"https://licence.example/by/4.0/"},{"@type":"Person","name":"X"}]}
// ]]></script><script type="application/ld+json">{"broken": </script><script type="application/ld+json">[{"@type":"Thing","license":{"@id":"https://licence.example/0/"}}]</script></head>
<body><nav>Menü</nav><main><article itemscope itemtype="https://schema.org/Event http://other.example/E" itemid="urn:e:1"><h1 itemprop="name">Spring<b>flut</b></h1>
<time itemprop="startDate" datetime="2021-03-28T01:00">heute</time><a itemprop="url sameAs" href="/e">Link</a><img itemprop=image src="i.png"><meta itemprop="ignored" content="c">
<div itemprop="location" itemscope itemtype="https://schema.org/Place"><span itemprop="name">Hafen</span></div></article>
<p vocab="https://schema.org/" typeof="Dataset" resource="#d"><span property="name">Pegel</span> <span property="creator" typeof="Person"><span property="name">Y</span></span><a property="license" href="https://licence.example/cc0">L</a></p>
<time pubdate>5 March 2021</time><a rel="license noopener" href="https://licence.example/by-sa">BY-SA</a></main>
<p hidden>Geheim</p><div style="color:red; display : none">Weg</div><template>Vorlage</template><noscript>Kein Script</noscript><footer>Fuß</footer></body></html>`;

test('a modern page gives Open Graph, Twitter, languages and licences', async () => {
  const { extracted } = await read(MODERN_PAGE, [['Content-Language', 'de, en']]);
  assert.deepEqual(extracted.openGraph, [
    { name: 'og:title', value: 'Gezeiten im Hafen' },
    { name: 'article:published_time', value: '2021-03-04T05:06:07+01:00' },
    { name: 'og:locale', value: 'de_DE' },
  ]);
  assert.deepEqual(extracted.twitter, [{ name: 'card', value: 'summary' }]);
  assert.deepEqual(extracted.languages, [
    { value: 'de', origin: 'html lang' },
    { value: 'de_DE', origin: 'property og:locale' },
    { value: 'de, en', origin: 'header content-language' },
  ]);
  assert.deepEqual(extracted.licences, [
    { url: 'http://www.example.org/licence/by', origin: 'link rel=license' },
    { url: 'https://licence.example/by/4.0/', origin: 'json-ld license' },
    { url: 'https://licence.example/0/', origin: 'json-ld license' },
    { url: 'https://licence.example/by-sa', origin: 'a rel=license noopener' },
  ]);
});

test('JSON-LD is parsed out of lists and graphs; what is malformed is a problem', async () => {
  const { extracted, problems } = await read(MODERN_PAGE);
  assert.deepEqual(
    extracted.jsonLd.map((object) => object['@type']),
    ['Article', 'Person', 'Thing'],
  );
  assert.equal(problems.length, 1);
  assert.match(problems[0]?.message ?? '', /JSON-LD is malformed/);
  assert.deepEqual(
    extracted.dates
      .filter(({ origin }) => origin.startsWith('json-ld'))
      .map(({ meaning, value }) => [meaning, value]),
    [
      ['published', '2021-03-04'],
      ['modified', '2021-04'],
    ],
  );
});

test('a time element means what its neighbours say', async () => {
  const { extracted } = await read(MODERN_PAGE);
  assert.deepEqual(
    extracted.dates
      .filter(({ origin }) => origin.startsWith('time'))
      .map(({ meaning, value }) => [meaning, value]),
    [
      ['mentioned', '2021-03-28T01:00:00Z'],
      ['published', '2021-03-05'],
    ],
  );
});

test('microdata items hold values, addresses and other items', async () => {
  const { extracted } = await read(MODERN_PAGE);
  assert.deepEqual(extracted.microdata, [
    {
      types: ['https://schema.org/Event', 'http://other.example/E'],
      id: 'urn:e:1',
      properties: [
        { name: 'name', value: 'Springflut' },
        { name: 'startDate', value: '2021-03-28T01:00' },
        { name: 'url', value: 'http://www.example.org/e' },
        { name: 'sameAs', value: 'http://www.example.org/e' },
        { name: 'image', value: 'http://www.example.org/2004/05/06/i.png' },
        { name: 'ignored', value: 'c' },
        {
          name: 'location',
          value: { types: ['https://schema.org/Place'], properties: [{ name: 'name', value: 'Hafen' }] },
        },
      ],
    },
  ]);
});

test('RDFa Lite items have the types of their vocabulary', async () => {
  const { extracted } = await read(MODERN_PAGE);
  assert.deepEqual(extracted.rdfa, [
    {
      types: ['https://schema.org/Dataset'],
      id: '#d',
      properties: [
        { name: 'name', value: 'Pegel' },
        {
          name: 'creator',
          value: { types: ['https://schema.org/Person'], properties: [{ name: 'name', value: 'Y' }] },
        },
        { name: 'license', value: 'https://licence.example/cc0' },
      ],
    },
  ]);
});

test('hidden text is not visible, and the main text is told apart', async () => {
  const { text, mainText } = await read(MODERN_PAGE);
  assert.equal(text, 'Menü\nSpringflut\nheuteLink\nHafen\nPegel YL\n5 March 2021BY-SA\nFuß');
  assert.equal(mainText, 'Springflut\nheuteLink\nHafen\nPegel YL\n5 March 2021BY-SA');
});

test('links are counted by kind', async () => {
  const { extracted } = await read('<a href=1></a><a href=2></a><img src=3>');
  assert.deepEqual(extracted.linkCounts, { page: 2, image: 1 });
});

test('the index gets title, description and visible text in parts, and no scripts', async () => {
  assert.deepEqual(textForIndex(await read(OLD_PAGE)), {
    title: 'Harbour Tides – Home',
    parts: [
      'All about tides',
      'tide, harbour, moon',
      'Tides',
      'High',
      'Low',
      'First',
      'Second line',
      'third',
      'More about it',
    ],
    language: 'en-GB',
    wordCount: 10,
  });
  const script = await readContent({
    url: URL_OF_PAGE,
    bytes: Buffer.from('var a'),
    headers: [['content-type', 'text/javascript']],
  });
  assert.equal(textForIndex(script), undefined);
});

test('a feed gives its title and its words', async () => {
  const { extracted, text } = await readContent({
    url: URL_OF_PAGE,
    bytes: Buffer.from(
      '<?xml version="1.0"?><rss><channel><title>News</title><item><title>One</title><description>two three</description></item></channel></rss>',
    ),
  });
  assert.equal(extracted.title, 'News');
  assert.equal(text, 'News\nOne\ntwo three');
});

test('everything is bounded, and what was cut is told', async () => {
  const limits = { ...CONTENT_LIMITS, bytes: 3000, links: 5, text: 20, value: 10, entries: 3 };
  const { extracted, links, text, problems } = await read(
    `<title>${'long '.repeat(9)}</title>${'<meta name=a content=b>'.repeat(9)}${'<h1>x</h1>'.repeat(9)}${'<a href=x>words</a>'.repeat(900)}`,
    [],
    limits,
  );
  assert.equal(extracted.title?.length, 10);
  assert.equal(extracted.meta.length, 3);
  assert.equal(extracted.headings.length, 3);
  assert.equal(links.length, 5);
  assert.equal(text.length, 20);
  assert.deepEqual(
    problems.map(({ code }) => code),
    ['content.cut', 'content.cut', 'content.cut'],
  );
});

test('words are counted in scripts with and without spaces', () => {
  assert.equal(countWords('two words, and 3 numbers'), 5);
  assert.equal(countWords('東京 abc'), 3);
  assert.equal(countWords(' … '), 0);
});
