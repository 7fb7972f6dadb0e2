import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readContent } from '../../archive/content/index.ts';
import { describeDocument, splitNames } from './describe-document.ts';
import { findIdentifiers } from './identifiers.ts';
import { findReferences } from './references.ts';

const valuesOf = (text: string) => findIdentifiers(text).map(({ kind, value }) => `${kind} ${value}`);

for (const [text, ...wanted] of [
  ['see https://doi.org/10.1029/96JD03865.', 'doi 10.1029/96jd03865'],
  [
    '(doi:10.1175/1520-0477(1999)080<2261:AIUCFI>2.0.CO;2)',
    'doi 10.1175/1520-0477(1999)080<2261:aiucfi>2.0.co;2',
  ],
  ['in parentheses (10.1000/abc(d)e).', 'doi 10.1000/abc(d)e'],
  ['twice 10.1000/X and 10.1000/x', 'doi 10.1000/x'],
  ['https://doi.org/10.1000/a%2Fb', 'doi 10.1000/a/b'],
  ['no DOI: 10.12/x, version 10.1234'],
  ['arXiv:2101.00001v3 and arxiv.org/abs/astro-ph/0601001', 'arxiv 2101.00001', 'arxiv astro-ph/0601001'],
  ['https://orcid.org/0000-0002-1825-0097', 'orcid 0000-0002-1825-0097'],
  ['0000-0002-1694-233X', 'orcid 0000-0002-1694-233X'],
  ['a wrong check digit 0000-0002-1825-0098'],
  ['ISBN 0-306-40615-2 and ISBN-13: 978-0-306-40615-7', 'isbn 0306406152', 'isbn 9780306406157'],
  ['ISBN 0-306-40615-3 is wrong'],
  [
    'hdl:2060/19990021009, or https://hdl.handle.net/1721.1/3548.',
    'handle 2060/19990021009',
    'handle 1721.1/3548',
  ],
] as [string, ...string[]][])
  test(`identifiers in “${text.slice(0, 60)}”`, () => {
    assert.deepEqual(valuesOf(text), wanted);
  });

test('an identifier leads to its page, an ISBN to none', () => {
  assert.deepEqual(
    findIdentifiers('10.1000/a#b arXiv:2101.00001 0000-0002-1825-0097 ISBN 0-306-40615-2').map(
      ({ url }) => url,
    ),
    [
      'https://doi.org/10.1000/a%23b',
      'https://arxiv.org/abs/2101.00001',
      'https://orcid.org/0000-0002-1825-0097',
      undefined,
    ],
  );
});

test('numbered references are cut at their numbers, and broken DOIs are whole again', () => {
  const text = [
    'As References say, this is no heading.',
    'REFERENCES',
    '[1] A. Lee and B. Chen, Clouds from above, J. Inv. Met., vol. 3,',
    'pp. 1-9, 2001. doi:10.1000/jim.',
    '2001.17',
    '[2] C. Diaz, A long cli-',
    'matology, 2005.',
    '14',
    'Appendix A',
    '[3] this is no reference',
  ].join('\n');
  assert.deepEqual(
    findReferences(text).map((reference) => [
      reference.text,
      ...reference.identifiers.map(({ value }) => value),
    ]),
    [
      [
        'A. Lee and B. Chen, Clouds from above, J. Inv. Met., vol. 3, pp. 1-9, 2001. doi:10.1000/jim.2001.17',
        '10.1000/jim.2001.17',
      ],
      ['C. Diaz, A long climatology, 2005.'],
    ],
  );
});

test('references by author are cut at the names, and a plain list at its lines', () => {
  const byAuthor =
    'Bibliography\nLee, A., and B. Chen, 2001: Clouds\nfrom above. J. Inv. Met.\nDiaz, C., 2005: A climatology.';
  assert.deepEqual(
    findReferences(byAuthor).map(({ text }) => text),
    ['Lee, A., and B. Chen, 2001: Clouds from above. J. Inv. Met.', 'Diaz, C., 2005: A climatology.'],
  );
  const plain = 'References\nthe guide to the data set, 1991\nthe guide to the maps, 1996';
  assert.equal(findReferences(plain).length, 2);
  assert.deepEqual(findReferences('No list of them here.'), []);
});

test('names are taken apart where they are several', () => {
  assert.deepEqual(splitNames('Ann Lee and Bo Chen'), ['Ann Lee', 'Bo Chen']);
  assert.deepEqual(splitNames('Lee, A.; Chen, B.'), ['Lee, A.', 'Chen, B.']);
  assert.deepEqual(splitNames('Ann Lee1, Bo Chen2*'), ['Ann Lee', 'Bo Chen']);
  assert.deepEqual(splitNames('Lee, Ann'), ['Lee, Ann']);
});

test('a page of an article gives title, authors, abstract, its own DOI, what it cites, and pages of its authors', async () => {
  const html = `<!doctype html><html><head><title>Journal | Clouds from above</title>
    <meta name="citation_title" content="Clouds from above"><meta name="citation_author" content="Lee, Ann"><meta name="citation_author" content="Chen, Bo">
    <meta name="citation_doi" content="10.1000/own"><meta name="description" content="What satellites see of clouds.">
    </head><body><p>By <a href="/people/lee">Lee, Ann</a> and <a rel="author" href="/people/chen">B. C.</a></p>
    <p>Data: <a href="https://doi.org/10.1000/data">here</a>, and 10.1000/own again.</p>
    <h2>References</h2><p>Diaz, C., 2005: A climatology. doi:10.1000/cited</p></body></html>`;
  const reading = await readContent({
    url: 'https://journal.example/a',
    bytes: Buffer.from(html),
    headers: [['Content-Type', 'text/html']],
  });
  const facts = describeDocument(reading);
  assert.equal(facts.title, 'Clouds from above');
  assert.deepEqual(facts.authors, ['Lee, Ann', 'Chen, Bo']);
  assert.equal(facts.abstract, 'What satellites see of clouds.');
  assert.deepEqual(
    facts.identifiers.map(({ value }) => value),
    ['10.1000/own'],
  );
  assert.deepEqual(
    facts.mentioned.map(({ value }) => value),
    ['10.1000/data'],
  );
  assert.deepEqual(
    facts.references.map(({ identifiers }) => identifiers.map(({ value }) => value)),
    [['10.1000/cited']],
  );
  assert.deepEqual(facts.authorPages, [
    { url: 'https://journal.example/people/lee', name: 'Lee, Ann' },
    { url: 'https://journal.example/people/chen' },
  ]);
});

test('a paper without metadata is read from its first lines', async () => {
  const text =
    'Clouds from above and below\nAnn Lee, Bo Chen\nInstitute of Weather\nAbstract\nWe look at clouds from both sides now, which nobody has done before with this much patience and care.\n1 Introduction\nClouds are white.';
  const reading = await readContent({
    url: 'https://x.example/a.txt',
    bytes: Buffer.from(text),
    headers: [['Content-Type', 'text/plain']],
  });
  const asPdf = {
    ...reading,
    extracted: {
      ...reading.extracted,
      title: 'Microsoft Word - final2.doc',
      pdf: { pages: 1, encrypted: false, info: [], xmp: [] },
    },
  };
  const facts = describeDocument(asPdf);
  assert.equal(facts.title, 'Clouds from above and below');
  assert.deepEqual(facts.authors, ['Ann Lee', 'Bo Chen']);
  assert.match(facts.abstract ?? '', /^We look at clouds from both sides.*care\.$/);
});

test('what only the references name is not what a paper speaks of, even when they begin on a page of their own', async () => {
  const text = 'Speaks of 10.1000/text.\fReferences\n[1] C. Diaz, Clouds, doi:10.1000/cited';
  const reading = await readContent({
    url: 'https://x.example/a.txt',
    bytes: Buffer.from(text),
    headers: [['Content-Type', 'text/plain']],
  });
  const { mentioned, references } = describeDocument(reading);
  assert.deepEqual(
    mentioned.map(({ value }) => value),
    ['10.1000/text'],
  );
  assert.equal(references.length, 1);
});
