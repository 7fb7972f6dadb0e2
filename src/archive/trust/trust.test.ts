import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JudgedElement, WebCapture } from '../../formats/web-capture.ts';
import { readContent } from '../content/index.ts';
import { describeContent } from '../items/describe-content.ts';
import { languagesOfText } from './language-of-text.ts';

const FRENCH = `Le foyer municipal accueille les habitants du quartier dans une salle qui est ouverte tous les jours.
Nous proposons des cours du soir, un repas pour les personnes seules et une aide pour les familles. Les rencontres
sont gratuites, mais il est utile de nous prévenir par une lettre ou au téléphone. Vous pouvez aussi venir avec vos
enfants, qui ont leur propre salle de jeux dans la cour. Le conseil du foyer se réunit une fois par mois, et ses
décisions sont affichées à la porte pour que chacun puisse les lire.`;
const ENGLISH = `The gauge at the harbour has been read every hour since it was built, and the readings are kept in
books that you can see in our archive. This page is about how they were taken, which of them can be used, and what
was done with those that were not written down in time. There were three keepers, and each of them had a way of their
own to read the scale when the waves were high. We have compared them with the tide tables of that year.`;
const AT = Date.parse('2002-05-06T07:08:09Z');

async function describe(head: string, body = ENGLISH, url = 'http://www.gauges.example/page.html') {
  const bytes = Buffer.from(`<html>${head}<body><p>${body}</p></body></html>`);
  const headers = [['Content-Type', 'text/html; charset=utf-8']] as const;
  return describeContent({ url, capturedAt: AT, reading: await readContent({ url, bytes, headers }) });
}

const judgementOf = ({ judged }: Omit<WebCapture['described'], 'type'>, element: JudgedElement) =>
  judged?.find((one) => one.element === element);
const rulesOf = (described: Omit<WebCapture['described'], 'type'>, element: JudgedElement) =>
  judgementOf(described, element)?.doubts.map(({ rule }) => rule) ?? [];

test('a page made of a page of others keeps its own title, and the tags of the other are doubted with reasons', async () => {
  const described = await describe(
    `<!-- saved from url=(0039)http://www.schach.example/regeln/zug.php --><head>
<title>Bienvenue au foyer municipal</title>
<meta name="keywords" content="Schach Schachregeln Eröffnung Mittelspiel Endspiel Turnier Verein Springer Läufer Turm Dame König Bauer Rochade Matt Patt Remis Bundesliga Rangliste Schach Turnier Verein">
<meta name="description" content="Schachregeln Turniere Ergebnisse Tabellen Ranglisten Vereine Bundesliga">
<meta http-equiv="date" content="thu, 30 mar 2000 12:00:00 GMT"></head>`,
    FRENCH,
    'http://www.foyer.example/',
  );
  assert.equal(described.title, 'Bienvenue au foyer municipal');
  assert.equal(described.subject, undefined);
  assert.equal(described.description, undefined);
  assert.deepEqual(rulesOf(described, 'subject'), ['saved-elsewhere', 'fits-text', 'keyword-stuffing']);
  assert.deepEqual(rulesOf(described, 'description'), ['saved-elsewhere', 'fits-text']);
  const subject = judgementOf(described, 'subject');
  assert.equal(subject?.verdict, 'doubtful');
  assert.ok((subject?.score ?? 1) < 0.1);
  assert.match(subject?.values[0] ?? '', /^Schach Schachregeln/);
  assert.match(
    subject?.doubts[0]?.reason ?? '',
    /saved from http:\/\/www\.schach\.example\/regeln\/zug\.php$/,
  );
  assert.equal(judgementOf(described, 'title')?.verdict, 'noted');
});

test('what fits is believed, and nothing is said against it', async () => {
  const described = await describe(
    '<head><title>Readings of the harbour gauge</title><meta name="keywords" content="gauge, harbour, tide tables, archive, readings"><meta name="description" content="How the readings of the gauge at the harbour were taken, compared and kept"><meta http-equiv="content-language" content="en"></head>',
  );
  assert.equal(described.judged, undefined);
  assert.deepEqual(described.subject, ['gauge', 'harbour', 'tide tables', 'archive', 'readings']);
  assert.deepEqual(described.language, ['en']);
});

test('a page of little text is not held against its words', async () => {
  const described = await describe(
    '<head><title>Tides and winds</title><meta name="keywords" content="water, weather, coast, harbour, ships"></head>',
    'Enter',
  );
  assert.equal(described.judged, undefined);
});

test('what editors put there is no title; the heading is', async () => {
  for (const title of ['Untitled Document', 'New Page 1', 'Unbenanntes Dokument', 'Welcome to nginx!']) {
    const described = await describe(`<head><title>${title}</title></head><h1>Gauge books</h1>`);
    assert.equal(described.title, 'Gauge books', title);
    assert.deepEqual(rulesOf(described, 'title').slice(0, 1), ['generator-default'], title);
  }
  const described = await describe('<head><title>Untitled readings of the gauge</title></head>');
  assert.equal(described.title, 'Untitled readings of the gauge');
});

test('another title of the page takes the place of a doubtful one', async () => {
  const described = await describe(
    '<head><title>Untitled</title><meta property="og:title" content="Gauge books"></head><h1>Elsewhere</h1>',
  );
  assert.equal(described.title, 'Gauge books');
});

test('an address of another site counts less where the words fit, and not at all on the same site', async () => {
  const tags =
    '<meta name="description" content="How the readings of the gauge at the harbour were taken"><title>The gauge</title>';
  const copied = await describe(
    `<head>${tags}<link rel="canonical" href="http://tides.example/page"></head>`,
  );
  assert.deepEqual(rulesOf(copied, 'description'), ['saved-elsewhere']);
  assert.equal(judgementOf(copied, 'description')?.verdict, 'noted');
  assert.equal(copied.description?.length, 1);
  const own = await describe(`<head>${tags}<link rel="canonical" href="https://gauges.example/"></head>`);
  assert.equal(own.judged, undefined);
});

test('remarks of mirroring programs, bases and og:url tell of another site', async () => {
  const heads = {
    mirrored: '<!-- Mirrored from tides.example/a.html by HTTrack Website Copier/3.x -->',
    'as if it were at': '<head><base href="http://tides.example/x/"></head>',
    'og:url': '<head><meta property="og:url" content="http://tides.example/"></head>',
  };
  for (const [told, head] of Object.entries(heads)) {
    const described = await describe(`${head}<title>Winds, waves</title>`);
    assert.match(judgementOf(described, 'title')?.doubts[0]?.reason ?? '', new RegExp(told));
  }
});

test('keywords by the dozen and repeated ones are stuffing', async () => {
  const subject = (content: string) => describe(`<head><meta name="keywords" content="${content}"></head>`);
  const many = Array.from({ length: 45 }, (_, i) => `gauge${i}`).join(', ');
  assert.ok(rulesOf(await subject(many), 'subject').includes('keyword-stuffing'));
  const repeated = Array.from({ length: 6 }, (_, i) => `gauge harbour, gauge tide ${i}`).join(', ');
  assert.ok(rulesOf(await subject(repeated), 'subject').includes('keyword-stuffing'));
  assert.ok(rulesOf(await subject('gauge, '.repeat(8)), 'subject').includes('keyword-stuffing'));
  assert.deepEqual(rulesOf(await subject('gauge house, gauge tables, gauge, tide gauge'), 'subject'), []);
  assert.deepEqual(rulesOf(await subject('gauge, harbour, tide'), 'subject'), []);
});

test('dates that cannot be are left out, and the next one counts', async () => {
  const date = (...values: string[]) =>
    describe(`<head>${values.map((value) => `<meta name="date" content="${value}">`).join('')}</head>`);
  for (const value of ['1970-01-01T00:00:00Z', '2031-01-01', '1987-05-05', '2002-05-09', '1980-01-01']) {
    const described = await date(value, '2001-04-03');
    assert.equal(described.date, '2001-04-03', value);
    assert.deepEqual(rulesOf(described, 'date'), ['implausible-date'], value);
  }
  // A clock that goes a little wrong, or another time zone.
  assert.equal((await date('2002-05-07')).date, '2002-05-07');
});

test('a language that the text is not written in is doubted; one of several is enough', async () => {
  const language = async (tag: string, text: string) =>
    describe(`<head><meta name="language" content="${tag}"></head>`, text);
  const wrong = await language('de', FRENCH);
  assert.equal(wrong.language, undefined);
  assert.match(judgementOf(wrong, 'language')?.doubts[0]?.reason ?? '', /\(fr\)/);
  assert.deepEqual((await language('fr-CA', FRENCH)).language, ['fr-ca']);
  assert.deepEqual((await language('de, fr', FRENCH)).language, ['de, fr']);
  // Breton cannot be recognised, so nothing can be said.
  assert.deepEqual((await language('br', FRENCH)).language, ['br']);
});

test('texts tell their language, and lists of names none', () => {
  assert.deepEqual(languagesOfText(FRENCH), ['fr']);
  assert.deepEqual(languagesOfText(ENGLISH), ['en']);
  assert.equal(languagesOfText('Berlin Hamburg Wien Zürich '.repeat(40)), undefined);
  assert.equal(languagesOfText('水位観測所の記録はここにあります。'.repeat(20))?.[0], 'ja');
  assert.equal(languagesOfText('Уровень воды измеряется каждый час. '.repeat(20))?.[0], 'ru');
});
