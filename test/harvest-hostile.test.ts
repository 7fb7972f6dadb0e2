/**
 * Providers that misbehave, one path each. Every case says exactly which records must be in the store
 * afterwards and how the run must end: nothing lost in silence, nothing wiped, no hanging.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { PUBLIC } from '../src/core/access.ts';
import { createFormatRegistry } from '../src/formats/registry.ts';
import type { HttpPolicy } from '../src/harvest/http/index.ts';
import type { Ingest } from '../src/harvest/ingest.ts';
import { createIngestPool } from '../src/harvest/ingest-pool.ts';
import { harvestOai, type OaiReport, type OaiSource } from '../src/harvest/oai/index.ts';
import { openSqliteStore } from '../src/store/sqlite/open.ts';
import {
  type Answer,
  type Behaviour,
  dublinCore,
  envelope,
  errorXml,
  makeRecords,
  type ProviderRecord,
  provider,
  type Question,
  recordXml,
  serveProviders,
  stamp,
  type TestServer,
} from './oai-provider.ts';

interface Expectation {
  /** Numbers of `oai:t.example:N`, or whole identifiers. */
  readonly ids: readonly (number | string)[];
  readonly status: OaiReport['status'];
  readonly code?: string;
  /** Codes of problems that must be listed, each at least once. No others may be. */
  readonly problems?: readonly string[];
  readonly titles?: Readonly<Record<string, string>>;
  /** Numbers or names of what is remembered as missing afterwards; not looked at where it is not said. */
  readonly missing?: readonly (number | string)[];
}

interface Harvest extends Expectation {
  readonly full?: boolean;
  readonly force?: boolean;
  /** What happens to the provider before this harvest. */
  readonly first?: (source: string) => unknown;
  /** Looks at what was asked during this harvest. */
  readonly check?: (queries: readonly string[], report: OaiReport) => void;
}

interface HostileCase {
  readonly name: string;
  readonly behaviour: Behaviour;
  readonly source?: Partial<OaiSource>;
  readonly policy?: Partial<HttpPolicy>;
  readonly suffix?: string;
  readonly harvests: readonly Harvest[];
}

const cases: HostileCase[] = [];
const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);

/** One harvest of ten records that must all arrive, unless it says otherwise. */
function hostile(
  name: string,
  behaviour: Behaviour,
  expected: Partial<Harvest> = {},
  more: Omit<Partial<HostileCase>, 'name' | 'behaviour' | 'harvests'> = {},
): void {
  cases.push({
    name,
    behaviour,
    harvests: [{ ids: numbers(1, 10), status: 'complete', ...expected }],
    ...more,
  });
}

const ten = makeRecords(10);
const good = provider(ten);
const isList = ({ verb }: Question) => verb === 'ListRecords';
/** Three pages, of which the second is asked for twice: escaped, and as it was written. */
const oneMoreTry = {
  check: (queries: readonly string[]) =>
    assert.equal(queries.filter((query) => query.includes('ListRecords')).length, 4, queries.join('\n')),
};
const onPage = (page: number) => (question: Question) =>
  isList(question) && (question.args.get('resumptionToken') ?? '0!').startsWith(`${(page - 1) * 4}!`);
/** Well, but on some questions badly. */
const but =
  (
    when: (question: Question) => boolean,
    bad: (question: Question, well: () => Answer) => Answer,
    otherwise: Behaviour = good,
  ): Behaviour =>
  (question) =>
    when(question) ? bad(question, () => otherwise(question)) : otherwise(question);
const once =
  (when: (question: Question) => boolean) =>
  (question: Question): boolean =>
    when(question) && question.visit === 1;
const rewrite =
  (change: (xml: string) => string | Uint8Array, otherwise: Behaviour = good): Behaviour =>
  (question) => {
    const answer = otherwise(question);
    return isList(question) && typeof answer.body === 'string'
      ? { ...answer, body: change(answer.body) }
      : answer;
  };
const backwards = ten.toReversed();

// Tokens -----------------------------------------------------------------------------------------

/** Tokens are plain offsets. */
const plainTokens = (
  next: (offset: number, total: number) => string | undefined,
  records = ten,
  sizes = false,
) =>
  provider(records, {
    token: next,
    readToken: (token) => (/^\d+$/.test(token) ? Number(token) : undefined),
    sizes,
  });

hostile('a well-behaved provider', good);
hostile(
  'the last page has its own token for ever, and is shorter than the others',
  plainTokens((next, total) => String(next < total ? next : next - 4)),
);
hostile(
  'the last page has its own token for ever, is full, and the size was announced',
  plainTokens((next, total) => String(next < total ? next : next - 4), makeRecords(12), true),
  { ids: numbers(1, 12) },
);
hostile(
  'the last page has its own token for ever, is full, and no size was announced',
  plainTokens((next, total) => String(next < total ? next : next - 4), makeRecords(12)),
  { ids: numbers(1, 12) },
);
hostile(
  'tokens go round in a circle, back to the first page',
  plainTokens((next, total) => String(next < total ? next : 0), makeRecords(12)),
  { ids: numbers(1, 12) },
);
hostile(
  'tokens go round in a circle in a list without order',
  plainTokens((next, total) => String(next < total ? next : 0), backwards),
);
hostile(
  'every page has the same token, and the server counts',
  (() => {
    let offset = 0;
    const listed = provider(ten, {
      token: (next, total) => {
        offset = next;
        return next < total ? 'session' : undefined;
      },
      readToken: () => offset,
    });
    return listed;
  })(),
);
hostile(
  'tokens are refused without the prefix, and the last one leads to the beginning',
  but(
    ({ args }) => args.has('resumptionToken') && !args.has('metadataPrefix'),
    () => ({ body: errorXml('badArgument', 'Missing metadataPrefix parameter') }),
    plainTokens((next, total) => String(next < total ? next : 0), makeRecords(12), true),
  ),
  { ids: numbers(1, 12) },
);
hostile(
  'tokens are refused, and no date finds anything: what is missing is told',
  but(
    ({ args }) => args.has('resumptionToken') || args.has('from') || args.has('until'),
    ({ args }) =>
      args.has('resumptionToken')
        ? { body: errorXml('badArgument') }
        : {
            body: envelope(
              '<ListRecords><resumptionToken completeListSize="0" cursor="-1">0</resumptionToken></ListRecords>',
            ),
          },
    provider(
      makeRecords(10, () => ({ datestamp: '' })),
      { sizes: true },
    ),
  ),
  {
    ids: [1, 2, 3, 4],
    status: 'incomplete',
    code: 'oai.gap',
    problems: ['oai.count', 'record.datestamp'],
    missing: ['… to …'],
  },
);
/** In order on every page, and not as a whole: 1 3 5 7, 2 4 6 8, 9 10. */
const woven = [0, 2, 4, 6, 1, 3, 5, 7, 8, 9].map((i) => ten[i] as ProviderRecord);
hostile(
  'every token fails, and the first page of a list without order looks ordered',
  but(
    ({ args }) => args.has('resumptionToken'),
    () => ({ status: 500 }),
    provider(woven),
  ),
);
hostile(
  'every token leads to the first page of a list that looks ordered there',
  plainTokens(() => '0', woven),
);
hostile(
  'every token is refused, and a list that looks ordered on its first page has announced its size',
  but(
    ({ args }) => args.has('resumptionToken'),
    () => ({ body: errorXml('badResumptionToken') }),
    provider(woven, { sizes: true }),
  ),
);
hostile(
  'the token after the last page leads to noRecordsMatch',
  but(
    ({ args }) => args.get('resumptionToken') === '12',
    () => ({ body: errorXml('noRecordsMatch') }),
    plainTokens((next) => String(next)),
  ),
);
hostile(
  'the token after the last full page leads to badResumptionToken',
  but(
    ({ args }) => args.get('resumptionToken') === '12',
    () => ({ body: errorXml('badResumptionToken') }),
    plainTokens((next) => String(next), makeRecords(12)),
  ),
  { ids: numbers(1, 12) },
);
hostile(
  'the token after the last page leads to an empty list',
  but(
    ({ args }) => args.get('resumptionToken') === '12',
    () => ({ body: envelope('<ListRecords></ListRecords>') }),
    plainTokens((next) => String(next)),
  ),
);
hostile(
  'a page in the middle is empty, with a good token',
  but(
    ({ args }) => args.get('resumptionToken') === '99',
    () => ({ body: envelope('<ListRecords><resumptionToken>4</resumptionToken></ListRecords>') }),
    plainTokens((next, total) => (next === 4 ? '99' : next < total ? String(next) : undefined)),
  ),
);
hostile(
  'empty pages with new tokens never end',
  but(
    ({ args }) => (args.get('resumptionToken') ?? '').startsWith('e'),
    ({ args }) => ({
      body: envelope(
        `<ListRecords><resumptionToken>e${Number((args.get('resumptionToken') ?? 'e0').slice(1)) + 1}</resumptionToken></ListRecords>`,
      ),
    }),
    plainTokens((next, total) => (next < total ? String(next) : 'e1')),
  ),
);
hostile(
  'the last token element is empty',
  plainTokens((next, total) => (next < total ? String(next) : '')),
);
hostile(
  'the last token element is white space',
  plainTokens((next, total) => (next < total ? String(next) : ' \n\t ')),
);
hostile(
  'tokens are padded with line ends',
  plainTokens((next, total) => (next < total ? `\n   ${next}\n  ` : undefined)),
);
for (const [what, odd] of [
  ['signs that must be escaped', '+/=& %20?#"ü|'],
  ['brackets and quotes', `<'>[](){}!*`],
] as const)
  hostile(
    `tokens hold ${what}`,
    provider(ten, {
      token: (next, total) => (next < total ? `${next}${odd}` : undefined),
      readToken: (token) => (token.endsWith(odd) ? Number.parseInt(token, 10) : undefined),
    }),
  );
hostile(
  'the server does not undo the escaping of tokens',
  ({ query, ...question }) =>
    provider(ten, {
      token: (next, total) => (next < total ? `p=${next}/x` : undefined),
      readToken: () => {
        const raw = /resumptionToken=([^&]*)/.exec(query)?.[1] ?? '';
        return /^p=\d+\/x$/.test(raw) ? Number(raw.slice(2, -2)) : undefined;
      },
    })({ query, ...question }),
  oneMoreTry,
);
hostile(
  'the server writes tokens that are escaped already',
  provider(ten, {
    token: (next, total) => (next < total ? encodeURIComponent(`${next}+z`) : undefined),
    readToken: (token) =>
      token.endsWith('+z') || token.endsWith(' z') ? Number.parseInt(token, 10) : undefined,
  }),
  oneMoreTry,
);
hostile(
  'a token expires in mid list, which is in order of datestamps',
  but(onPage(3), () => ({ body: errorXml('badResumptionToken', 'expired') })),
);
hostile(
  'a token expires once in mid list, which is in no order',
  but(once(onPage(3)), () => ({ body: errorXml('badResumptionToken', 'expired') }), provider(backwards)),
);
hostile(
  'tokens always expire, in a list without order',
  but(
    ({ args }) => args.has('resumptionToken'),
    () => ({ body: errorXml('badResumptionToken') }),
    provider(backwards),
  ),
);
hostile(
  'cursor and size lie in mid list',
  rewrite((xml) => xml.replace('<resumptionToken>', '<resumptionToken completeListSize="4" cursor="4">')),
);
hostile(
  'the announced size is too large',
  rewrite((xml) =>
    xml.includes('<resumptionToken>')
      ? xml.replace('<resumptionToken>', '<resumptionToken completeListSize="900">')
      : xml.replace('</ListRecords>', '<resumptionToken completeListSize="900"/></ListRecords>'),
  ),
);
hostile(
  'the list ends before the announced size, and is in no order',
  rewrite(
    (xml) =>
      xml.replace(/<resumptionToken>4![^<]*<\/resumptionToken>/, '<resumptionToken completeListSize="10"/>'),
    provider(backwards),
  ),
  { ids: [10, 9, 8, 7], status: 'incomplete', code: 'oai.gap', problems: ['oai.count'] },
);
hostile(
  'a record moves to a later page while the list is read',
  provider([...ten.slice(0, 5), { ...ten[1]!, datestamp: stamp(50), title: 'newer' }, ...ten.slice(5)]),
  { titles: { 'oai:t.example:2': 'newer' } },
);
hostile(
  'an older state of a record follows the newer one',
  provider([{ ...ten[7]!, datestamp: stamp(50), title: 'newer' }, ...ten]),
  { titles: { 'oai:t.example:8': 'newer' } },
);

// One bad record ---------------------------------------------------------------------------------

const holds = (answer: Answer, identifier: string) => String(answer.body).includes(`>${identifier}<`);
const breaksOn =
  (
    identifier: string,
    bad: () => Answer,
    verbs: readonly string[] = ['ListRecords', 'GetRecord'],
  ): Behaviour =>
  (question) => {
    const answer = good(question);
    return verbs.includes(question.verb) && holds(answer, identifier) ? bad() : answer;
  };
hostile(
  'one record makes its page fail with status 500, and cannot be got alone',
  breaksOn('oai:t.example:6', () => ({ status: 500, body: 'NullPointerException' })),
  {
    ids: numbers(1, 10).filter((n) => n !== 6),
    status: 'incomplete',
    code: 'oai.gap',
    problems: ['oai.gap'],
  },
);
hostile(
  'one record makes its page fail with status 500, but can be got alone',
  breaksOn('oai:t.example:6', () => ({ status: 500 }), ['ListRecords']),
);
hostile(
  'one record makes its page break off, and can be got alone',
  breaksOn('oai:t.example:2', () => ({ body: envelope('<ListRecords><record>').slice(0, -12) }), [
    'ListRecords',
  ]),
);
hostile('the first record makes the list fail, in days', (question) => {
  const days = provider(
    makeRecords(10, (i) => ({ datestamp: stamp(i, 86_400_000).slice(0, 10) })),
    { granularity: 'YYYY-MM-DD', earliestDatestamp: '2020-01-01' },
  )(question);
  return isList(question) && holds(days, 'oai:t.example:1') ? { body: '' } : days;
});

// XML --------------------------------------------------------------------------------------------

const withTitle = (title: string): Behaviour => rewrite((xml) => xml.replace('>Record 3<', `>${title}<`));
hostile('control characters in a record', withTitle('Rec\u0001\u000bord \uffff3'), {
  problems: ['record.repaired'],
  titles: { 'oai:t.example:3': 'Record 3' },
});
hostile('references to characters that XML has not', withTitle('Record&#x0; &#11;3'), {
  problems: ['record.repaired'],
  titles: { 'oai:t.example:3': 'Record 3' },
});
hostile('loose ampersands, loose brackets and HTML entities', withTitle('R&D &eacute;t&eacute; p < 5 3'), {
  problems: ['record.repaired'],
  titles: { 'oai:t.example:3': 'R&D été p < 5 3' },
});
hostile(
  'bytes of Latin-1 in what is declared as UTF-8',
  rewrite((xml) => Buffer.from(xml.replace('>Record 3<', '>M\u00fcller 3<'), 'latin1')),
  { problems: ['record.repaired'], titles: { 'oai:t.example:3': 'Müller 3' } },
);
hostile(
  'an answer in ISO-8859-1, declared as that',
  rewrite((xml) =>
    Buffer.from(xml.replace('UTF-8', 'ISO-8859-1').replace('>Record 3<', '>M\u00fcller 3<'), 'latin1'),
  ),
  { titles: { 'oai:t.example:3': 'Müller 3' } },
);
hostile(
  'an answer in UTF-8, declared as ISO-8859-1',
  rewrite((xml) => xml.replace('UTF-8', 'ISO-8859-1').replace('>Record 3<', '>Müller 3<')),
  { titles: { 'oai:t.example:3': 'Müller 3' } },
);
hostile(
  'an answer in UTF-16',
  rewrite((xml) =>
    Buffer.from(`\ufeff${xml.replace('UTF-8', 'UTF-16').replace('>Record 3<', '>Müller 3<')}`, 'utf16le'),
  ),
  { titles: { 'oai:t.example:3': 'Müller 3' } },
);
hostile(
  'an XML declaration inside of metadata',
  rewrite((xml) => xml.replaceAll('<metadata>', '<metadata><?xml version="1.0"?>')),
);
hostile(
  'an XML declaration deep inside of a record',
  rewrite((xml) =>
    xml.replace('<dc:title>Record 3', '<?xml version="1.0" encoding="UTF-8"?><dc:title>Record 3'),
  ),
  { problems: ['record.repaired'] },
);
hostile(
  'a byte order mark, blank lines and a warning before the declaration',
  rewrite(
    (xml) =>
      `\ufeff\n\n<br />\n<b>Warning</b>: Undefined index in <b>/var/www/oai.php</b> on line <b>7</b><br />\n${xml}`,
  ),
);
hostile(
  'a script and a comment after the root',
  rewrite((xml) => `${xml}<!-- 0.3 s --><script>track('x')</script> &nbsp; <p>`),
);
hostile(
  'a script and an unclosed break inside of the envelope',
  rewrite((xml) => xml.replace('<ListRecords>', '<SCRIPT/><ListRecords><br><script>if (a<b) c()</script>')),
);
hostile(
  'the answer breaks off once in mid record, though HTTP is complete',
  but(once(onPage(2)), (_, well) => {
    const body = String(well().body);
    return { body: body.slice(0, body.indexOf('Record 7')) };
  }),
);
hostile(
  'the connection is reset once in mid body',
  but(once(onPage(2)), () => ({
    raw: (response) => {
      response.writeHead(200, { 'content-length': '9000' });
      response.write('<OAI-PMH><ListRecords>', () => response.destroy());
    },
  })),
);
hostile(
  'the envelope has a prefix, the wrong namespace and no declaration',
  rewrite((xml) =>
    xml
      .replace(/<\?xml[^>]*>\s*/, '')
      .replace('xmlns="http://www.openarchives.org/OAI/2.0/"', 'xmlns:o="http://example.org/wrong"')
      .replace(
        /<(\/?)(OAI-PMH|responseDate|request|ListRecords|record|header|identifier|datestamp|metadata|resumptionToken)(?=[\s>])/g,
        '<$1o:$2',
      ),
  ),
);
hostile(
  'the envelope has no namespace',
  rewrite((xml) => xml.replace(' xmlns="http://www.openarchives.org/OAI/2.0/"', '')),
);
const archived = envelope(
  `<error code="badVerb"/><ListRecords>${recordXml({ identifier: 'oai:t.example:99', datestamp: '2020-01-01' })}<resumptionToken>7!</resumptionToken></ListRecords>`,
).replace(/<\?xml[^>]*>\s*/, '');
hostile(
  'metadata that is itself an OAI-PMH answer',
  provider(makeRecords(10, (i) => (i === 4 ? { metadata: archived } : {}))),
);
hostile(
  'a record whose elements do not close',
  rewrite((xml) => xml.replace('Record 3</dc:title>', 'Record 3<b><i></dc:title>')),
  {
    ids: numbers(1, 10).filter((n) => n !== 3),
    status: 'incomplete',
    code: 'source.losses',
    problems: ['xml.malformed'],
  },
);
hostile(
  'a record of eight megabytes',
  provider(
    makeRecords(10, (i) => (i === 4 ? { metadata: dublinCore(`${'x'.repeat(99)} `.repeat(80_000)) } : {})),
  ),
  { problems: ['value.long'] },
);
hostile(
  'a record of seventeen megabytes in many elements',
  provider(
    makeRecords(10, (i) =>
      i === 4
        ? {
            metadata: dublinCore('Large').replace(
              '</oai_dc:dc>',
              `${`<dc:subject>${'z'.repeat(150)}</dc:subject>`.repeat(100_000)}</oai_dc:dc>`,
            ),
          }
        : {},
    ),
  ),
);
hostile(
  'CDATA and text of eleven megabytes, and elements nested three hundred deep, are taken in; three thousand cost themselves',
  provider(
    makeRecords(10, (i) => {
      const long = `${'y'.repeat(99)} `.repeat(110_000);
      if (i === 2) return { metadata: dublinCore(`<![CDATA[${long}]]>`) };
      if (i === 3) return { metadata: dublinCore(long) };
      if (i === 4)
        return { metadata: `<a xmlns="http://t.example/deep">${'<a>'.repeat(300)}x${'</a>'.repeat(301)}` };
      if (i === 5)
        return { metadata: `<a xmlns="http://t.example/deep">${'<a>'.repeat(3000)}x${'</a>'.repeat(3001)}` };
      return {};
    }),
  ),
  {
    ids: [1, 2, 3, 4, 5, 7, 8, 9, 10],
    status: 'incomplete',
    code: 'source.losses',
    problems: ['value.long', 'xml.too-deep'],
  },
);
hostile(
  'stray elements between records, header and metadata',
  rewrite((xml) =>
    xml
      .replaceAll('</header>', '</header><debug took="3"><metadata>not this</metadata></debug>')
      .replaceAll('<record>', '<total>7</total><record>'),
  ),
);
hostile(
  'a document type in a record',
  rewrite((xml) =>
    xml.replaceAll('<metadata><oai', '<metadata><!DOCTYPE dc SYSTEM "http://evil.example/x.dtd"><oai'),
  ),
);

// HTTP -------------------------------------------------------------------------------------------

const busy = (headers: Record<string, string>, status = 503): Behaviour =>
  but(once(onPage(2)), () => ({ status, headers, body: 'busy' }));
hostile('503 with Retry-After in seconds', busy({ 'retry-after': '20' }));
hostile(
  '503 with Retry-After as a date',
  busy({ 'retry-after': new Date(Date.now() + 20_000).toUTCString() }),
);
hostile('503 without Retry-After', busy({}));
hostile('429 on the way', busy({ 'retry-after': '1' }, 429));
hostile(
  '500, 502 and 504 on the way',
  but(
    (question) => onPage(2)(question) && question.visit <= 3,
    ({ visit }) => ({ status: [500, 502, 504][visit - 1] ?? 500 }),
  ),
);
hostile(
  'a server that wants to be left alone for a day',
  but(isList, () => ({ status: 503, headers: { 'retry-after': '86400' } })),
  { ids: [], status: 'failed', code: 'http.status' },
);
hostile(
  'a page for people once in mid list, with status 200',
  but(once(onPage(2)), () => ({ body: '<html><title>Maintenance</title></html>' })),
);
hostile(
  'a login page from mid list on, with status 200',
  but(
    ({ args }) => args.has('resumptionToken'),
    () => ({ body: '<html><title>Log in</title></html>' }),
    provider(backwards),
  ),
  { ids: [10, 9, 8, 7], status: 'incomplete', code: 'oai.response' },
);
const choosy = but(
  ({ request }) => !request.headers['user-agent']?.startsWith('Mozilla'),
  () => ({ status: 403, body: 'no robots' }),
);
hostile('a server that refuses our name', choosy, { ids: [], status: 'failed', code: 'http.status' });
hostile(
  'a server that refuses our name, asked by another',
  choosy,
  {},
  { policy: { headers: { 'user-agent': 'Mozilla/5.0' } } },
);
hostile('a base address that ends with a slash', good, {}, { suffix: '/' });
hostile('OAI-PMH as text/html in ISO-8859-1, says the header', (question) => ({
  ...good(question),
  headers: { 'content-type': 'text/html; charset=ISO-8859-1' },
}));
hostile(
  'gzip without a header',
  rewrite((xml) => gzipSync(xml)),
);
hostile('a gzip header on a plain body', (question) => ({
  ...good(question),
  headers: { 'content-encoding': 'gzip' },
}));
hostile('a chain of redirects', (question) =>
  question.query.includes('hop=3')
    ? good(question)
    : {
        status: 302,
        headers: {
          location: `?${question.query}&hop=${Number(/hop=(\d)(?!.*hop=)/.exec(question.query)?.[1] ?? 0) + 1}`,
        },
      },
);
hostile('a redirect that loses the arguments', (question) => {
  const { pathname } = new URL(question.request.url ?? '', 'http://x');
  if (!question.query.includes('v2')) return { status: 301, headers: { location: `${pathname}?v2` } };
  return question.verb === '' ? { body: '<html>Welcome</html>' } : good(question);
});
hostile('a server that wants its cookie back', (question) =>
  question.request.headers.cookie?.includes('sid=7')
    ? good(question)
    : { status: 302, headers: { 'set-cookie': 'sid=7; path=/', location: `?${question.query}` } },
);
hostile(
  'a base address that has a query string',
  ({ ...question }) => (question.args.get('repo') === 'a b' ? good(question) : { status: 404 }),
  {},
  { suffix: '?repo=a%20b' },
);
hostile('a server that knows one order of arguments only', (question) =>
  /^verb=(?:ListRecords&(?:metadataPrefix=oai_dc(?:&from=[^&]*)?(?:&until=[^&]*)?|resumptionToken=[^&]*)|Identify)$/.test(
    question.query,
  )
    ? good(question)
    : { status: 400 },
);
hostile(
  'a page of a web server with status 404',
  () => ({
    status: 404,
    headers: { 'content-type': 'text/html' },
    body: '<html><title>Not here</title></html>',
  }),
  { ids: [], status: 'failed', code: 'http.status' },
);
hostile('an address that nothing listens on', () => ({ raw: (response) => response.destroy() }), {
  ids: [],
  status: 'failed',
  code: 'http.unreachable',
});
hostile(
  'a private address, for a source that may not go there',
  good,
  { ids: [], status: 'failed', code: 'http.address' },
  { policy: { allowPrivate: false } },
);

// Semantics --------------------------------------------------------------------------------------

hostile('a granularity in the wrong case', provider(ten, { granularity: 'yyyy-mm-ddThh:MM:ssz' }));
hostile(
  'datestamps with fractions and offsets',
  provider(makeRecords(10, (i) => ({ datestamp: stamp(i).replace('Z', i % 2 ? '.123Z' : '+00:00') }))),
);
hostile('an earliestDatestamp that is none', provider(ten, { earliestDatestamp: 'aaaa-bb-cc' }));
hostile(
  'an earliestDatestamp of another granularity, where a page fails',
  but(
    (question) => isList(question) && !question.args.has('until'),
    () => ({ status: 500 }),
    provider(ten, { earliestDatestamp: '2020-01-01' }),
  ),
);
hostile(
  'no earliestDatestamp at all, where a page fails',
  but(
    (question) => isList(question) && !question.args.has('until'),
    () => ({ status: 500 }),
    (question) => {
      const answer = good(question);
      return { body: String(answer.body).replace(/<earliestDatestamp>.*<\/earliestDatestamp>/, '') };
    },
  ),
);
const days = makeRecords(10, (i) => ({ datestamp: stamp(i, 86_400_000).slice(0, 10) }));
hostile('`until` leaves out its own day, where pages must be narrowed down', (question) => {
  const until = question.args.get('until');
  const daily = { granularity: 'YYYY-MM-DD', earliestDatestamp: '2020-01-01' };
  if (!isList(question) || until === null) {
    const answer = provider(days, daily)(question);
    return isList(question) && !question.args.has('resumptionToken') ? { status: 500 } : answer;
  }
  return provider(
    days.filter(({ datestamp }) => datestamp < until),
    daily,
  )(question);
});
hostile(
  'records beside the window that was asked for',
  but(isList, (question, well) => {
    if (!question.args.has('from') && !question.args.has('resumptionToken')) return { status: 500 };
    question.args.delete('until');
    return well();
  }),
);
hostile(
  'deleted records at the first harvest',
  provider(makeRecords(10, (i) => (i % 2 ? { deleted: true } : {}))),
  { ids: [1, 3, 5, 7, 9] },
);
hostile(
  'two identifiers that differ in case only',
  provider(makeRecords(2, (i) => ({ identifier: i ? 'oai:t.example:A' : 'oai:t.example:a' }))),
  { ids: ['oai:t.example:A', 'oai:t.example:a'] },
);
hostile(
  'GetRecord answers with another record than it was asked for',
  but(
    ({ verb, args }) => verb === 'GetRecord' && args.get('identifier') === 'oai:t.example:5',
    (question) => {
      question.args.set('identifier', 'oai:t.example:6');
      return good(question);
    },
  ),
  {
    ids: numbers(1, 10).filter((n) => n !== 5),
    status: 'incomplete',
    code: 'source.losses',
    problems: ['oai.gap'],
  },
  { source: { feed: 'identifiers' } },
);
const sameInstant = makeRecords(10, () => ({ datestamp: stamp(0) }));
hostile(
  'one record breaks a list in which all have the same datestamp',
  (question) => {
    const answer = provider(sameInstant)(question);
    return /ListRecords|GetRecord/.test(question.verb) && holds(answer, 'oai:t.example:6')
      ? { status: 500 }
      : answer;
  },
  {
    ids: numbers(1, 10).filter((n) => n !== 6),
    status: 'incomplete',
    code: 'oai.gap',
    problems: ['oai.gap'],
  },
);
hostile(
  'ListIdentifiers breaks off where records are got one by one',
  (question) => {
    const answer = provider(sameInstant)(question);
    if (isList(question) && holds(answer, 'oai:t.example:6')) return { status: 500 };
    return question.verb === 'ListIdentifiers' && question.args.has('resumptionToken')
      ? { body: errorXml('badResumptionToken') }
      : answer;
  },
  { ids: [1, 2, 3, 4], status: 'incomplete', code: 'oai.gap', problems: ['oai.gap'] },
);
hostile(
  'records without identifier, datestamp, metadata, or anything inside of metadata',
  rewrite((xml) =>
    xml
      .replace('<identifier>oai:t.example:2</identifier>', '')
      .replace(`<datestamp>${stamp(2)}</datestamp>`, '')
      .replace(`<datestamp>${stamp(3)}</datestamp>`, '<datestamp>yesterday</datestamp>')
      .replace(/<metadata>(?:(?!<metadata>).)*Record 6<.*?<\/metadata>/, '')
      .replace(/<metadata>(?:(?!<metadata>).)*Record 7<.*?<\/metadata>/, '<metadata></metadata>')
      .replace(/<metadata>(?:(?!<metadata>).)*Record 9<.*?<\/metadata>/, '<metadata/>'),
  ),
  {
    ids: [1, 3, 4, 5, 8, 10],
    status: 'incomplete',
    code: 'oai.gap',
    problems: ['record.identifier', 'record.datestamp', 'record.metadata'],
    missing: [6, 7, 9, `${stamp(1)} to ${stamp(1)}`],
  },
);
hostile(
  'identifiers with plus, slash, spaces and letters beyond ASCII',
  provider(
    makeRecords(3, (i) => ({ identifier: ['hdl:10/a+b c', 'ö/../x?y#z', 'OAI:T.EXAMPLE:1'][i] ?? '' })),
  ),
  { ids: ['hdl:10/a+b c', 'ö/../x?y#z', 'OAI:T.EXAMPLE:1'] },
);
hostile(
  'datestamps in the future',
  provider(makeRecords(10, (i) => (i === 4 ? { datestamp: '2099-01-01T00:00:00Z' } : {}))),
);
hostile(
  'Identify is answered with nonsense',
  but(
    ({ verb }) => verb === 'Identify',
    () => ({ body: '<OAI-PMH><oops>&undefined;</OAI-PMH>' }),
  ),
);
hostile(
  'a metadata prefix that the provider does not have',
  good,
  { ids: [], status: 'failed', code: 'oai.error', problems: ['oai.error'] },
  { source: { prefixes: { marc21: undefined } } },
);
hostile(
  'one of two formats is refused',
  provider(ten),
  { status: 'incomplete', code: 'oai.error', problems: ['oai.error'] },
  { source: { prefixes: { oai_dc: 'oai_dc', marc21: 'mods' } } },
);
hostile(
  'only one set is wanted',
  provider(makeRecords(10, (i) => ({ sets: i % 2 ? ['a', 'a:b'] : ['c'] }))),
  { ids: [2, 4, 6, 8, 10] },
  { source: { sets: ['a'] } },
);
hostile(
  'ListRecords does not work, ListIdentifiers does',
  but(isList, () => ({ status: 500 })),
  {},
  { source: { feed: 'identifiers' } },
);
hostile(
  'one identifier of a feed leads nowhere',
  but(
    ({ verb, args }) => verb === 'GetRecord' && args.get('identifier') === 'oai:t.example:5',
    () => ({ body: errorXml('idDoesNotExist') }),
  ),
  {
    ids: numbers(1, 10).filter((n) => n !== 5),
    status: 'incomplete',
    code: 'source.losses',
    problems: ['oai.gap'],
  },
  { source: { feed: 'identifiers' } },
);
hostile('a static repository', () => ({
  body: `<?xml version="1.0"?><Repository xmlns="http://www.openarchives.org/OAI/2.0/static-repository" xmlns:oai="http://www.openarchives.org/OAI/2.0/"><Identify><oai:repositoryName>S</oai:repositoryName></Identify><ListMetadataFormats/><ListRecords metadataPrefix="other">${recordXml({ identifier: 'x', datestamp: '2020-01-01' })}</ListRecords><ListRecords metadataPrefix="oai_dc">${ten.map((record) => recordXml(record).replace(/<(\/?)(record|header|identifier|datestamp|metadata)>/g, '<$1oai:$2>')).join('')}</ListRecords></Repository>`,
}));
hostile(
  'an incomplete certificate of life: the list says nothing at all',
  but(isList, () => ({ body: envelope('') })),
  { ids: [], status: 'failed', code: 'oai.response' },
);

// Several harvests -------------------------------------------------------------------------------

interface Changing {
  records: ProviderRecord[];
  mode: string;
}

/** A provider whose records a case changes between its harvests. */
function changing(
  name: string,
  make: (current: Changing) => Behaviour,
  harvests: (current: Changing) => readonly Harvest[],
  more: Omit<Partial<HostileCase>, 'name' | 'behaviour' | 'harvests'> = {},
): void {
  const current = { records: [...ten], mode: '' };
  cases.push({ name, behaviour: make(current), harvests: harvests(current), ...more });
}
const all = { ids: numbers(1, 10), status: 'complete' } as const;
const since = (queries: readonly string[]) => queries.find((query) => query.includes('ListRecords'));

changing(
  'the next harvest begins at the first responseDate, minus one granule, and finds what changed',
  (current) => provider(() => current.records),
  (current) => [
    all,
    {
      ids: numbers(1, 11),
      status: 'complete',
      first: () => {
        current.records = [
          ...current.records.slice(1),
          { ...ten[0]!, datestamp: '2026-01-02T00:00:00Z', title: 'changed' },
          { identifier: 'oai:t.example:11', datestamp: '2026-01-03T00:00:00Z' },
        ];
      },
      titles: { 'oai:t.example:1': 'changed' },
      check: (queries, { counts }) => {
        assert.match(since(queries) ?? '', /from=2025-12-31T23:59:59Z$/);
        assert.deepEqual([counts.added, counts.updated], [1, 1]);
      },
    },
  ],
);
changing(
  'a provider that says seconds and writes days, with names of its own, is asked from the day before',
  (current) => (question) => {
    const records = current.records.map((record) => ({
      ...record,
      datestamp: record.datestamp.slice(0, 10),
    }));
    // As text, a day is before all its seconds.
    const from = question.args.get('from') ?? '';
    const answer = provider(
      records.filter(({ datestamp }) => datestamp >= from),
      { responseDate: '2026-01-02T12:00:00Z' },
    )(question);
    return typeof answer.body === 'string'
      ? {
          body: answer.body
            .replaceAll('datestamp>', 'dateStamp>')
            .replaceAll('earliestDateStamp', 'earliestDatestamp'),
        }
      : answer;
  },
  (current) => [
    all,
    {
      ids: numbers(1, 11),
      status: 'complete',
      first: () => {
        current.records = [...ten, { identifier: 'oai:t.example:11', datestamp: '2026-01-02T00:00:00Z' }];
      },
      check: (queries) => assert.match(since(queries) ?? '', /from=2026-01-01$/),
    },
  ],
);
changing(
  'a provider of days is asked from the day before',
  (current) =>
    provider(
      () => current.records.map((record) => ({ ...record, datestamp: record.datestamp.slice(0, 10) })),
      {
        granularity: 'YYYY-MM-DD',
        earliestDatestamp: '2020-01-01',
      },
    ),
  () => [all, { ...all, check: (queries) => assert.match(since(queries) ?? '', /from=2025-12-31$/) }],
);
changing(
  'nothing new is noRecordsMatch, with status 422',
  (current) => (question) =>
    question.args.has('from')
      ? { status: 422, body: errorXml('noRecordsMatch') }
      : provider(current.records)(question),
  () => [all, { ...all, check: (_, { counts }) => assert.equal(counts.deleted, 0) }],
);
changing(
  'a provider that declares seconds refuses them',
  (current) => (question) =>
    /from=[^&]*T/.test(question.query)
      ? { body: errorXml('badArgument') }
      : provider(current.records)(question),
  () => [all, { ...all, check: (queries) => assert.match(queries.join('\n'), /from=2025-12-31(?:$|\n|&)/) }],
);
changing(
  'a provider that refuses any date',
  (current) => (question) =>
    question.args.has('from') ? { body: errorXml('badArgument') } : provider(current.records)(question),
  () => [all, all],
);
changing(
  'a provider that ignores `from`',
  (current) => (question) => {
    question.args.delete('from');
    return provider(current.records)(question);
  },
  () => [
    all,
    { ...all, check: (_, { counts }) => assert.deepEqual([counts.unchanged, counts.updated], [10, 0]) },
  ],
);
changing(
  'contents that change without their datestamps are found by a full harvest',
  (current) => provider(() => current.records),
  (current) => [
    all,
    {
      ...all,
      first: () => {
        current.records = current.records.map((record) => ({ ...record, title: `${record.title} anew` }));
      },
      titles: { 'oai:t.example:1': 'Record 1' },
    },
    { ...all, full: true, titles: { 'oai:t.example:1': 'Record 1 anew' } },
  ],
);
changing(
  'datestamps that are all set anew change nothing',
  (current) => provider(() => current.records),
  (current) => [
    all,
    {
      ...all,
      first: () => {
        current.records = current.records.map((record) => ({ ...record, datestamp: '2026-01-02T00:00:00Z' }));
      },
      check: (_, { counts }) => assert.deepEqual([counts.unchanged, counts.updated], [10, 0]),
    },
  ],
);
changing(
  'a clock that is years ahead does not hide what comes next',
  (current) => provider(() => current.records, { responseDate: '2090-01-01T00:00:00Z' }),
  (current) => [
    all,
    {
      ids: numbers(1, 11),
      status: 'complete',
      first: () => {
        const datestamp = `${new Date().toISOString().slice(0, 19)}Z`;
        current.records = [...current.records, { identifier: 'oai:t.example:11', datestamp }];
      },
    },
  ],
);
changing(
  'deleted records are told, one of them with metadata, one that was never there',
  (current) => provider(() => current.records),
  (current) => [
    all,
    {
      ids: numbers(3, 10),
      status: 'complete',
      first: () => {
        current.records = [
          ...current.records.slice(2),
          { ...ten[0]!, datestamp: '2026-01-02T00:00:00Z', deleted: true },
          {
            ...ten[1]!,
            datestamp: '2026-01-02T00:00:00Z',
            deleted: true,
            metadata: dublinCore('still here'),
          },
          { identifier: 'oai:t.example:77', datestamp: '2026-01-02T00:00:00Z', deleted: true },
        ];
      },
    },
  ],
);
changing(
  'a provider that does not tell of deletions is compared as a whole',
  (current) => provider(() => current.records, { deletedRecord: 'no' }),
  (current) => [
    all,
    { ...all, first: () => current.records.splice(0, 2) },
    { ids: numbers(3, 10), status: 'complete', full: true },
  ],
);
changing(
  'most of a provider vanishes, and the guard holds, until forced',
  (current) => provider(() => current.records, { deletedRecord: 'transient', pageSize: 50 }),
  (current) => [
    {
      ids: numbers(1, 40),
      status: 'complete',
      first: () => {
        current.records = makeRecords(40);
      },
    },
    {
      ids: numbers(1, 40),
      status: 'incomplete',
      code: 'source.shrink',
      full: true,
      first: () => {
        current.records = current.records.slice(0, 10);
      },
    },
    { ids: numbers(1, 10), status: 'complete', full: true, force: true },
  ],
);
for (const [what, answer, expected] of [
  [
    'a login page with status 200',
    { body: '<!DOCTYPE html><html><title>Please log in</title></html>' },
    { status: 'failed', code: 'oai.response' },
  ],
  ['an empty body with status 200', { body: '' }, { status: 'incomplete', code: 'source.empty' }],
  [
    'noRecordsMatch for everything',
    { body: errorXml('noRecordsMatch') },
    { status: 'incomplete', code: 'source.empty' },
  ],
  ['an empty list', { body: envelope('<ListRecords/>') }, { status: 'incomplete', code: 'source.empty' }],
  ['status 403', { status: 403, body: 'no' }, { status: 'failed', code: 'http.status' }],
] as const)
  changing(
    `${what} wipes nothing, not even by force`,
    (current) => (question) =>
      current.mode === 'bad' && (isList(question) || what.includes('login') || what.includes('body'))
        ? answer
        : provider(current.records, { deletedRecord: 'no' })(question),
    (current) => [
      all,
      {
        ids: all.ids,
        ...expected,
        full: true,
        force: true,
        first: () => {
          current.mode = 'bad';
        },
      },
      {
        ...all,
        full: true,
        first: () => {
          current.mode = '';
        },
      },
    ],
  );
changing(
  'a provider that is empty at first is listed from its beginning later',
  (current) => (question) =>
    current.mode === 'empty' && isList(question)
      ? { body: envelope('<ListRecords/>') }
      : provider(() => current.records)(question),
  (current) => [
    {
      ids: [],
      status: 'incomplete',
      code: 'source.empty',
      first: () => {
        current.mode = 'empty';
      },
    },
    {
      ...all,
      first: () => {
        current.mode = '';
      },
    },
  ],
);
changing(
  'a provider goes down in mid list; the next run goes on with its token',
  (current) => (question) =>
    current.mode === 'down' && (question.verb === 'Identify' ? false : onPage(3)(question))
      ? { status: 503 }
      : provider(current.records)(question),
  (current) => [
    {
      ids: numbers(1, 8),
      status: 'incomplete',
      code: 'http.status',
      first: () => {
        current.mode = 'down';
      },
    },
    {
      ...all,
      first: () => {
        current.mode = '';
      },
      check: (queries) => assert.equal(queries.filter((query) => query.includes('ListRecords')).length, 1),
    },
  ],
);
changing(
  'what could not be got is asked for again next time',
  (current) => (question) => {
    const answer = provider(() => current.records)(question);
    return current.mode === 'bad' &&
      /ListRecords|GetRecord/.test(question.verb) &&
      holds(answer, 'oai:t.example:6')
      ? { status: 500 }
      : answer;
  },
  (current) => [
    {
      ids: numbers(1, 10).filter((n) => n !== 6),
      status: 'incomplete',
      code: 'oai.gap',
      problems: ['oai.gap'],
      first: () => {
        current.mode = 'bad';
      },
    },
    {
      ...all,
      first: () => {
        current.mode = '';
      },
      check: (queries) => assert.ok(queries.length < 6, queries.join('\n')),
    },
  ],
);
changing(
  'deletions are told per format',
  (current) => (question) => {
    const asked = question.args.get('metadataPrefix');
    if (asked === null) return provider(ten, { prefixes: ['oai_dc', 'mods'], pageSize: 50 })(question);
    const records = current.records.map((record) => ({
      ...record,
      ...(asked === 'mods' && {
        metadata: `<mods xmlns="http://www.loc.gov/mods/v3"><titleInfo><title>${record.title}</title></titleInfo></mods>`,
      }),
      ...(current.mode === 'gone' &&
        asked === 'mods' && { datestamp: '2026-01-02T00:00:00Z', deleted: true }),
    }));
    return provider(records, { prefixes: ['oai_dc', 'mods'], pageSize: 50 })(question);
  },
  (current) => [
    { ids: [...numbers(1, 10), ...numbers(1, 10)], status: 'complete' },
    {
      ...all,
      first: () => {
        current.mode = 'gone';
      },
    },
  ],
  { source: { prefixes: { oai_dc: undefined, mods: undefined } } },
);

// What is missing --------------------------------------------------------------------------------

/** Record 3 is broken while the mode says so. */
const breaking =
  (options: Parameters<typeof provider>[1] = {}) =>
  (current: Changing): Behaviour =>
  (question) => {
    const records = current.records.map((record) =>
      record.identifier === 'oai:t.example:3' && current.mode.includes('broken')
        ? { ...record, metadata: '<dc><title></dc>' }
        : record,
    );
    if (current.mode.includes('forgetful') && question.verb === 'GetRecord')
      return { body: errorXml('idDoesNotExist') };
    return provider(records, options)(question);
  };
const modeIs = (current: Changing, mode: string) => () => {
  current.mode = mode;
};
const withoutThree = numbers(1, 10).filter((n) => n !== 3);
const threeIsLost = {
  ids: withoutThree,
  status: 'incomplete',
  code: 'source.losses',
  missing: [3],
} as const;
const brokenAtFirst = (current: Changing, mode = 'broken'): Harvest => ({
  ...threeIsLost,
  problems: ['xml.malformed'],
  first: modeIs(current, mode),
});
const asksForThree = (queries: readonly string[]) =>
  assert.deepEqual(
    queries.filter((query) => query.includes('GetRecord')),
    ['verb=GetRecord&identifier=oai:t.example:3&metadataPrefix=oai_dc'],
  );
const asksForNone = (queries: readonly string[]) =>
  assert.ok(!queries.some((query) => query.includes('GetRecord')), queries.join('\n'));

changing(
  'a record that is broken stays missing over later harvests until it is mended, with its old date',
  breaking(),
  (current) => [
    brokenAtFirst(current),
    { ...threeIsLost, problems: ['xml.malformed'], check: asksForThree },
    { ...threeIsLost, problems: ['xml.malformed'], check: asksForThree },
    { ...all, missing: [], first: modeIs(current, ''), check: asksForThree },
    { ...all, missing: [], check: asksForNone },
  ],
);
changing(
  'a broken record that is mended with a new date is not asked for by itself',
  breaking(),
  (current) => [
    brokenAtFirst(current),
    {
      ...all,
      missing: [],
      check: asksForNone,
      first: () => {
        current.mode = '';
        current.records = ten.map((record, i) =>
          i === 2 ? { ...record, datestamp: '2026-01-02T00:00:00Z' } : record,
        );
      },
    },
  ],
);
changing(
  'an update that is broken leaves what is stored, and is missing until it comes',
  breaking(),
  (current) => [
    { ...all, missing: [] },
    {
      ...threeIsLost,
      ids: numbers(1, 10),
      problems: ['xml.malformed'],
      titles: { 'oai:t.example:3': 'Record 3' },
      first: () => {
        current.mode = 'broken';
        current.records = ten.map((record, i) =>
          i === 2 ? { ...record, title: 'Better', datestamp: '2026-01-02T00:00:00Z' } : record,
        );
      },
    },
    { ...threeIsLost, ids: numbers(1, 10), problems: ['xml.malformed'] },
    { ...all, missing: [], titles: { 'oai:t.example:3': 'Better' }, first: modeIs(current, '') },
  ],
);
changing('a broken record that is deleted at the origin is no longer missing', breaking(), (current) => [
  brokenAtFirst(current),
  {
    ids: withoutThree,
    status: 'complete',
    missing: [],
    first: () => {
      current.mode = '';
      current.records = ten.map((record, i) =>
        i === 2 ? { ...record, deleted: true, datestamp: '2026-01-02T00:00:00Z' } : record,
      );
    },
  },
]);
changing(
  'a broken record that has gone without a trace is no longer missing',
  breaking({ deletedRecord: 'no' }),
  (current) => [
    brokenAtFirst(current),
    {
      ids: withoutThree,
      status: 'complete',
      missing: [],
      first: () => {
        current.records = ten.filter((_, i) => i !== 2);
      },
    },
  ],
);
changing(
  'a provider that lists a broken record and says that it does not exist is not believed',
  breaking(),
  (current) => [
    brokenAtFirst(current, 'broken forgetful'),
    { ...threeIsLost, problems: ['oai.gap'], check: asksForThree },
    { ...threeIsLost, problems: ['oai.gap'], first: modeIs(current, 'forgetful') },
    { ...all, missing: [], full: true },
  ],
);
changing(
  'what the operator accepts as missing makes no run incomplete, and comes when it can',
  breaking(),
  (current) => [
    brokenAtFirst(current),
    {
      ids: withoutThree,
      status: 'complete',
      missing: [],
      check: asksForNone,
      first: (source) => store.runs.acceptLosses(source, ['oai:t.example:3']),
    },
    { ids: withoutThree, status: 'complete', problems: ['xml.malformed'], missing: [], full: true },
    { ...all, missing: [], full: true, first: modeIs(current, '') },
    {
      ids: numbers(1, 10),
      status: 'incomplete',
      code: 'source.losses',
      problems: ['xml.malformed'],
      missing: [3],
      full: true,
      first: modeIs(current, 'broken'),
    },
  ],
);
changing(
  'one record is broken and others are gone: they go, and what is stored of it stays',
  breaking({ deletedRecord: 'no' }),
  (current) => [
    { ...all, missing: [] },
    {
      ids: [1, 2, 3, 4, 5, 6, 9, 10],
      status: 'incomplete',
      code: 'source.losses',
      problems: ['xml.malformed'],
      missing: [3],
      full: true,
      first: () => {
        current.mode = 'broken';
        current.records = ten.filter((_, i) => i !== 6 && i !== 7);
      },
    },
    {
      ids: [1, 2, 4, 5, 6, 9, 10],
      status: 'complete',
      missing: [],
      full: true,
      first: () => {
        current.records = ten.filter((_, i) => i !== 2 && i !== 6 && i !== 7);
      },
    },
  ],
);
changing(
  'a record without identifier is asked for by its date until it has one',
  (current) => (question) => {
    const answer = provider(() => current.records)(question);
    return current.mode === 'nameless' && typeof answer.body === 'string'
      ? { body: answer.body.replace('<identifier>oai:t.example:3</identifier>', '') }
      : answer;
  },
  (current) => {
    const lost: Harvest = {
      ids: withoutThree,
      status: 'incomplete',
      code: 'oai.gap',
      problems: ['record.identifier'],
      missing: [`${stamp(2)} to ${stamp(2)}`],
    };
    return [
      { ...lost, first: modeIs(current, 'nameless') },
      lost,
      { ...all, missing: [], first: modeIs(current, '') },
    ];
  },
);
changing(
  'a broken record that has left the wanted set meanwhile is neither taken in nor missing',
  breaking(),
  (current) => [
    {
      ...brokenAtFirst(current),
      first: () => {
        current.mode = 'broken';
        current.records = ten.map((record) => ({ ...record, sets: ['a'] }));
      },
    },
    {
      ids: withoutThree,
      status: 'complete',
      missing: [],
      first: () => {
        current.mode = '';
        current.records = ten.map((record, i) => ({ ...record, sets: [i === 2 ? 'b' : 'a'] }));
      },
      check: asksForThree,
    },
  ],
  { source: { sets: ['a'] } },
);
// ------------------------------------------------------------------------------------------------

const folder = mkdtempSync(join(tmpdir(), 'garner-hostile-'));
const pathOf = (index: number) => `/case-${index + 1}`;
const formats = createFormatRegistry();
const store = openSqliteStore({
  folder,
  fields: formats.fieldSpecs(),
  sources: cases.map((_, index) => ({ name: `case-${index + 1}`, access: PUBLIC })),
  views: [],
  repositoryIdentifier: 'test.example.org',
});
let server: TestServer;
let ingest: Ingest;
before(async () => {
  server = await serveProviders(
    new Map(
      cases.map(({ behaviour, suffix }, index) => [pathOf(index) + (suffix === '/' ? '/' : ''), behaviour]),
    ),
  );
  ingest = createIngestPool({ ownFormats: [], validation: 'report', threads: 1 });
});
after(async () => {
  server.close();
  await ingest.close();
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A clock that runs ahead instead of waiting. */
function patience() {
  let aheadMs = 0;
  return {
    clock: () => Date.now() + aheadMs,
    sleep: (durationMs: number) => {
      aheadMs += durationMs;
      return Promise.resolve();
    },
  };
}

test('there are enough of them', () => {
  assert.ok(cases.length >= 45, `${cases.length} cases`);
});

for (const [index, { name, harvests, source, policy, suffix = '' }] of cases.entries()) {
  test(name, async () => {
    const path = pathOf(index);
    const named = `case-${index + 1}`;
    for (const [round, expected] of harvests.entries()) {
      await expected.first?.(named);
      const askedBefore = server.log.length;
      const report = await harvestOai(
        {
          store,
          ingest,
          formats,
          policy: {
            userAgent: 'test',
            allowPrivate: true,
            idleTimeoutMs: 5000,
            backoffMs: 1,
            attempts: 4,
            ...patience(),
            ...policy,
          },
        },
        {
          name: named,
          url: server.url + path + suffix,
          prefixes: { oai_dc: undefined },
          feed: 'records',
          fullEveryDays: 30,
          maxDeleteShare: 0.5,
          ...source,
        },
        { full: expected.full ?? false, force: expected.force ?? false },
      );
      const problems = await store.runs.listProblems({ runId: report.runId, limit: 1000 });
      const told = `${name}, harvest ${round + 1}: ${JSON.stringify({ report, problems }, null, 1)}`;
      const stored = await store.items.listRaw(named, 0, 10_000);
      assert.deepEqual(
        stored.map(({ identifier }) => identifier).toSorted(),
        expected.ids.map((id) => (typeof id === 'number' ? `oai:t.example:${id}` : id)).toSorted(),
        told,
      );
      assert.equal(report.status, expected.status, told);
      assert.equal(report.code, expected.code, told);
      assert.equal((await store.runs.findRun(report.runId))?.status, expected.status);
      assert.deepEqual(
        [...new Set(problems.map(({ code }) => code))].toSorted(),
        (expected.problems ?? []).toSorted(),
        told,
      );
      if (expected.missing) {
        const missing = await store.runs.listLosses({ source: named, limit: 100 });
        assert.deepEqual(
          missing.filter(({ acceptedAt }) => acceptedAt === undefined).map((loss) => loss.name),
          expected.missing.map((id) => (typeof id === 'number' ? `oai:t.example:${id}` : id)),
          told,
        );
        assert.equal(report.status === 'complete', expected.missing.length === 0, told);
      }
      for (const [identifier, title] of Object.entries(expected.titles ?? {})) {
        const item = await store.items.findItem(
          { source: named, identifier },
          { role: 'reader', groups: [] },
        );
        assert.equal(item?.title, title, told);
      }
      expected.check?.(
        server.log
          .slice(askedBefore)
          .filter((asked) => asked.path === path)
          .map(({ query }) => query),
        report,
      );
    }
  });
}
