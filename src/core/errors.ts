/**
 * Every error that Garner raises on purpose, in one table. `retryable` says whether the same call may
 * succeed later; translation to HTTP status, OAI error or exit code happens at the edges, by this table.
 * `docs/errors.md` is written from it.
 */
interface ErrorKind {
  readonly retryable: boolean;
  readonly http: number;
  /** 1 failed, 2 wrong usage or config, 3 done but incomplete. */
  readonly exit: 1 | 2 | 3;
  readonly help: string;
}

const kind = (http: number, exit: 1 | 2 | 3, help: string, retryable = false): ErrorKind => ({
  retryable,
  http,
  exit,
  help,
});

export const ERROR_KINDS = {
  'usage.invalid': kind(400, 2, 'The command line was not understood; the message shows the right form.'),
  'config.missing': kind(500, 2, 'There is no config file; `garner init` writes one.'),
  'config.invalid': kind(
    500,
    2,
    'The config file has mistakes; every one is listed with file, line and key.',
  ),
  'request.invalid': kind(
    400,
    2,
    'An argument of the request is missing or malformed; the message names it.',
  ),
  'request.unknown': kind(
    404,
    2,
    'There is nothing at this address; the front page and the API description list what there is.',
  ),
  'request.method': kind(
    405,
    2,
    'This address answers other methods only; the Allow header of the answer names them.',
  ),
  'request.timeout': kind(
    408,
    1,
    'The client stopped reading the answer; its place was given to another.',
    true,
  ),
  'query.syntax': kind(
    400,
    2,
    'The query does not parse; the message shows the position and what was expected.',
  ),
  'query.unknown-field': kind(400, 2, 'No format defines that field; the message lists the nearest names.'),
  'query.unsupported': kind(400, 2, 'The field cannot be asked that way (a box of a text field, say).'),
  'query.too-broad': kind(
    400,
    2,
    'Answering would take too long; add a word or a filter, or lengthen the prefix.',
  ),
  'cursor.invalid': kind(400, 2, 'The paging cursor is not one of ours; start from the first page.'),
  'cursor.expired': kind(
    410,
    2,
    'The index changed since the first page of a relevance-ranked list; start again or sort by a field.',
  ),
  'xml.malformed': kind(422, 1, 'The document is not well-formed XML; position and reason are given.'),
  'xml.forbidden': kind(422, 1, 'The document has a DOCTYPE or entities, which are refused.'),
  'xml.too-large': kind(422, 1, 'The record, or one text in it, is larger than the limit.'),
  'xml.too-deep': kind(422, 1, 'The document is nested deeper than the limit.'),
  'xml.encoding': kind(422, 1, 'The bytes are not valid in their declared encoding.'),
  'xml.invalid': kind(422, 1, 'The document does not conform to its schema.'),
  'xml.schema': kind(500, 2, 'A configured XSD could not be read or compiled.'),
  'xml.xpath': kind(500, 2, 'A configured XPath does not compile.'),
  'xslt.stylesheet': kind(500, 2, 'A configured stylesheet could not be read or compiled.'),
  'xslt.failed': kind(422, 1, 'The transformation of this record failed.'),
  'xslt.timeout': kind(422, 1, 'The transformation of this record took longer than the limit.'),
  'json.malformed': kind(422, 1, 'The document is not well-formed JSON.'),
  'json.too-large': kind(422, 1, 'The JSON file is larger than the limit; split it.'),
  'table.row': kind(422, 3, 'A row of a CSV table cannot become a record; the message says why.'),
  'format.unknown': kind(422, 1, 'No configured format fits the document.'),
  'profile.malformed': kind(
    422,
    1,
    'The document is no resource profile; the message says what it is instead.',
  ),
  'record.identifier': kind(422, 1, 'The record has no identifier, or an unusable one.'),
  'record.duplicate': kind(
    422,
    1,
    'Two places of the source give the same identifier; the first was kept, the message names both.',
  ),
  'record.repaired': kind(
    422,
    3,
    'The record was not well-formed; it was mended as the message says, and kept.',
  ),
  'record.datestamp': kind(422, 3, 'The record has no usable datestamp; it was kept.'),
  'record.metadata': kind(422, 3, 'The provider lists the record without its metadata.'),
  'oai.error': kind(
    502,
    1,
    'The OAI-PMH provider refused the request; the message has its code and its words.',
  ),
  'oai.response': kind(
    502,
    1,
    'The answer is not OAI-PMH (a login or error page, say); the message quotes its beginning.',
    true,
  ),
  'oai.truncated': kind(502, 3, 'An OAI-PMH answer ends before its end.', true),
  'oai.loop': kind(502, 3, 'The provider gives the same page again and again; what came is kept.'),
  'oai.gap': kind(
    502,
    3,
    'A part of the list could not be got; the message says which. The next run asks for it again.',
  ),
  'oai.count': kind(502, 3, 'The provider announced more records than it gave.'),
  'didl.content': kind(
    422,
    1,
    'The DIDL of a record holds no content that could be read; what was there before was left as it is.',
  ),
  'didl.reference': kind(
    422,
    3,
    'The DIDL of a record only tells where its file is; `references: fetch` on the source gets it.',
  ),
  'source.unknown': kind(404, 2, 'No source has that name; `garner check` lists the sources.'),
  'source.empty': kind(500, 3, 'The origin answered with nothing; what is stored was left as it is.'),
  'source.shrink': kind(
    500,
    3,
    'More would be deleted than the guard allows; raise `maxDeleteShare` or pass --force if that is right.',
  ),
  'source.answer': kind(
    502,
    1,
    'The origin answered with something else than what was asked for; the message tells what.',
  ),
  'source.checksum': kind(502, 1, 'The bytes of a file are not those that its list announces.'),
  'source.unreadable': kind(500, 1, 'A file or folder of the source could not be read.'),
  'source.choice': kind(
    422,
    2,
    'The address of the source leads to several collections; the message lists them: choose one.',
  ),
  'source.losses': kind(
    422,
    3,
    'Its origin has records that could not be taken in, now or earlier; `garner missing` lists each with its reason.',
  ),
  'http.address': kind(
    403,
    1,
    'The address leads to a private network; `allowPrivate: true` on the source permits that.',
  ),
  'http.unreachable': kind(502, 1, 'No connection to the host could be made.', true),
  'http.tls': kind(502, 1, 'The host’s certificate or its TLS could not be trusted.'),
  'http.timeout': kind(504, 1, 'The host did not answer in time.', true),
  'http.status': kind(502, 1, 'The host answered with an error; the message has its status.'),
  'http.redirect': kind(502, 1, 'The host leads in a circle, or to something that is no address.'),
  'http.interrupted': kind(502, 1, 'The answer broke off before its end.', true),
  'http.encoding': kind(502, 1, 'The answer is not packed as its header says.', true),
  'http.too-large': kind(502, 1, 'The answer is larger than the limit.'),
  'archive.unsafe': kind(422, 1, 'An archive entry points outside, or unpacks to more than the limit.'),
  'archive.format': kind(
    422,
    1,
    'The file is no web archive (WARC, ARC, WACZ, CDX), or nothing in it can be read.',
  ),
  'archive.record': kind(
    404,
    1,
    'The web archive has no record at that place; the file may have been replaced.',
  ),
  'archive.damaged': kind(
    422,
    3,
    'A web archive is damaged at that offset; what could be read there and behind it was taken in.',
  ),
  'archive.digest': kind(422, 3, 'A record differs from the digest in its header; it was taken in as it is.'),
  'archive.nested': kind(422, 1, 'An archive inside an archive is not opened; unpack it first.'),
  'mets.reference': kind(
    422,
    3,
    'A METS document refers to a section, file or place that is not in it; it was kept as it is.',
  ),
  'content.unreadable': kind(422, 1, 'The content of a capture cannot be read; it is archived all the same.'),
  'content.timeout': kind(422, 1, 'Reading the content of a capture took longer than the limit.'),
  'crawl.trap': kind(422, 3, 'URLs without end; the limits under `crawl.traps` decide how many are fetched.'),
  'crawl.excluded': kind(422, 3, 'A start address was left out; the message says why.'),
  'crawl.robots': kind(502, 3, 'A host does not give its robots.txt, so nothing is fetched from it.', true),
  'crawl.browser': kind(
    500,
    2,
    'Pages cannot be opened in Chromium; install `playwright-core` beside Garner, and a Chromium.',
  ),
  'engine.quota': kind(
    429,
    3,
    'A search engine was asked as often as its quota allows; it is left out until the time that the message names.',
  ),
  'discover.refused': kind(
    422,
    3,
    'An engine gave an address that is not taken: another scheme, with a password, or in a private network.',
  ),
  'dictionary.invalid': kind(
    422,
    1,
    'A data dictionary does not follow its form; the message names the place and what was expected.',
  ),
  'dictionary.unknown': kind(404, 2, 'No data element, or no dictionary, has that name.'),
  'rdf.malformed': kind(422, 1, 'The file is not well-formed RDF; the message tells where and why.'),
  'rdf.remote': kind(
    422,
    1,
    'The JSON-LD names a context on another host, which is never fetched; write the context into the file.',
  ),
  'topic.candidate': kind(
    404,
    2,
    'The list has no such address; `garner topics` and /topics show what it has.',
  ),
  'topic.corpus': kind(
    404,
    2,
    'A corpus is made when `garner discover` has archived something of the topic.',
  ),
  'topic.unknown': kind(404, 2, 'No topic has that acronym; the config and its `topicsFile` name them.'),
  'item.unknown': kind(404, 1, 'There is no such item, or you may not see it; `garner explain` tells more.'),
  'product.unknown': kind(
    404,
    1,
    'No product matches that can be had in a wanted media type, or you may not have it.',
  ),
  'product.conversion': kind(
    422,
    1,
    'The product cannot be made into the wanted media type; ask for it as it is.',
  ),
  'version.unknown': kind(404, 1, 'The item has no such version; `garner history` lists them.'),
  'version.thinned': kind(
    410,
    1,
    'Retention gave its content back; the history still tells of it, and `garner pin` keeps a version for ever.',
  ),
  'view.unknown': kind(404, 2, 'No view has that name.'),
  'run.unknown': kind(404, 1, 'There is no run with that number; `garner runs` lists them.'),
  'store.missing': kind(500, 2, 'The data folder holds no store yet; `garner import` makes one.'),
  'store.newer': kind(500, 2, 'The store was written by a newer Garner; update this one.'),
  'store.busy': kind(503, 1, 'Another process is writing and did not finish in time.', true),
  'store.leased': kind(
    409,
    1,
    'Another run works on this source; the message says which and since when.',
    true,
  ),
  'store.lease-lost': kind(409, 1, 'The run lost its lease on the source to another process and stopped.'),
  'store.disk-full': kind(
    507,
    1,
    'The disk is full; the batch was rolled back. Free some space and run again.',
    true,
  ),
  'store.corrupt': kind(
    500,
    1,
    'The store is damaged; `garner verify` tells where, `garner restore` brings back a backup.',
  ),
  'store.reindex-needed': kind(500, 2, 'Field definitions changed; run `garner reindex`.'),
  'blob.unknown': kind(404, 1, 'There is no blob with that digest.'),
  'access.denied': kind(403, 1, 'This needs a token with more rights.'),
  'folder.unreadable': kind(
    500,
    3,
    'A file or folder of a published site could not be read; what is known of it stays as it is.',
  ),
  'access.unclear': kind(
    500,
    3,
    'A rule of the web server cannot be understood here; what it covers is taken as denied. The message names file and line.',
  ),
  'access.token': kind(401, 1, 'This needs a token that is known here and has the right to it.'),
  'access.origin': kind(403, 1, 'Open the form on this site, and send it from there.'),
  'server.busy': kind(503, 1, 'As much as may is under way already; ask again in a while.', true),
  'server.address': kind(500, 1, 'The address is taken or not ours; choose another with --port or --host.'),
  'worker.lost': kind(500, 1, 'A worker thread died; it was replaced.', true),
  'internal.bug': kind(500, 1, 'A mistake in Garner itself; please report it with the log.'),
} as const satisfies Record<string, ErrorKind>;

export type ErrorCode = keyof typeof ERROR_KINDS;

export class GarnerError extends Error {
  override readonly name = 'GarnerError';
  readonly code: ErrorCode;
  /** Facts for programs: positions, names, limits. Must survive JSON. */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(
    code: ErrorCode,
    message: string,
    options: { cause?: unknown; details?: Record<string, unknown> } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.details = options.details ?? {};
  }

  get retryable(): boolean {
    return ERROR_KINDS[this.code].retryable;
  }
}

/** Everything that is not a GarnerError is a bug of ours: give it a code, keep the cause. */
export function asGarnerError(error: unknown): GarnerError {
  if (error instanceof GarnerError) return error;
  return new GarnerError('internal.bug', error instanceof Error ? error.message : String(error), {
    cause: error,
  });
}
