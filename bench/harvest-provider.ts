/** The provider of `harvest.ts`, in a process of its own: pages are rendered before the first request. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { makeIsoRecord } from './iso-records.ts';
import { createRandom } from './records.ts';

const PAGE = 500;
const [kind = 'iso19139', count = '1000'] = process.argv.slice(2);
const total = Number(count);
const random = createRandom(5);
const NOUNS =
  'ice drift core basin cloud tide salt wind shelf mooring current glacier plankton storm delta'.split(' ');
const words = (many: number) =>
  Array.from({ length: many }, () => NOUNS[Math.floor(random() * NOUNS.length)]).join(' ');

const metadata = (number: number): string =>
  kind === 'oai_dc'
    ? `<oai_dc:dc xmlns:oai_dc="http://www.openarchives.org/OAI/2.0/oai_dc/" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>${words(7)}</dc:title><dc:creator>${words(2)}</dc:creator><dc:subject>${words(2)}</dc:subject><dc:subject>${words(1)}</dc:subject><dc:description>${words(60)}</dc:description><dc:date>${1950 + (number % 76)}-05-01</dc:date><dc:identifier>https://bench.example/${number}</dc:identifier></oai_dc:dc>`
    : makeIsoRecord(number).replace(/^<\?xml[^>]*\?>\s*/, '');

const record = (number: number): string =>
  `<record><header><identifier>oai:bench.example:${kind}:${number}</identifier><datestamp>${new Date(1_600_000_000_000 + number * 1000).toISOString().slice(0, 19)}Z</datestamp></header><metadata>${metadata(number)}</metadata></record>`;
const envelope = (body: string): Buffer =>
  Buffer.from(
    `<?xml version="1.0" encoding="UTF-8"?>\n<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><responseDate>2026-01-01T00:00:00Z</responseDate><request>http://bench.example/</request>${body}</OAI-PMH>`,
  );

const pages = new Map<string, Buffer>();
let bytes = 0;
for (let from = 0; from < total; from += PAGE) {
  const list = Array.from({ length: Math.min(PAGE, total - from) }, (_, i) => record(from + i)).join('\n');
  const next = from + PAGE < total ? String(from + PAGE) : '';
  const page = envelope(
    `<ListRecords>${list}<resumptionToken completeListSize="${total}" cursor="${from}">${next}</resumptionToken></ListRecords>`,
  );
  bytes += page.length;
  pages.set(from === 0 ? '' : String(from), page);
}
const identify = envelope(
  '<Identify><repositoryName>Bench</repositoryName><earliestDatestamp>2020-01-01T00:00:00Z</earliestDatestamp><deletedRecord>persistent</deletedRecord><granularity>YYYY-MM-DDThh:mm:ssZ</granularity></Identify>',
);

const server = createServer((request, response) => {
  const args = new URL(request.url ?? '', 'http://x').searchParams;
  const page = args.get('verb') === 'Identify' ? identify : pages.get(args.get('resumptionToken') ?? '');
  response.writeHead(page ? 200 : 404, { 'content-type': 'text/xml' }).end(page);
});
server.listen(0, '127.0.0.1', () => {
  process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/oai`, bytes });
});
process.on('disconnect', () => process.exit());
