/** Records of a list on their way into batches: pieces to extract, deletions, and what is wrong with them. */

import { identifierOf } from '../../archive/items/index.ts';
import { isAbsoluteUri } from '../../core/identifiers.ts';
import type { Instant, RecordProblem } from '../../core/model.ts';
import { dateSpan, formatOai } from '../../core/time.ts';
import type { OriginDescription } from '../../formats/provenance.ts';
import type { IncomingDeletion } from '../../store/index.ts';
import type { RecordPiece } from '../ingest.ts';
import type { ListSpec } from './list-state.ts';
import type { LineBatch, RecordFacts, RecordHandle, RecordLine } from './record-line.ts';
import type { OaiHeader, OaiRecordPiece } from './record-piece.ts';

const MAX_PIECES = 1000;
const MAX_BYTES = 4 * 1024 * 1024;
const MAX_NOTES = 5000;
/** How far apart two pages may be that hold the same record in two states. */
const MAX_RECENT = 20_000;

export class RecordSink {
  readonly #line: RecordLine;
  readonly #list: ListSpec;
  readonly #baseUrl: string;
  /** The newest datestamp of records that came lately, so that an older state never follows a newer one. */
  readonly #recent = new Map<string, Instant>();
  #pieces = new Map<string, RecordPiece>();
  #facts = new Map<string, RecordFacts>();
  #handles = new Map<string, RecordHandle>();
  #deletions = new Map<string, IncomingDeletion>();
  #problems: RecordProblem[] = [];
  #bytes = 0;

  constructor(line: RecordLine, list: ListSpec, baseUrl: string) {
    this.#line = line;
    this.#list = list;
    this.#baseUrl = baseUrl;
  }

  problem(problem: RecordProblem): void {
    this.#problems.push(problem);
  }

  async record(record: OaiRecordPiece, url: string, harvestedAt: Instant): Promise<void> {
    const { header, metadata, line } = record;
    const { datestamp } = header;
    const identifier = this.#identifierOf(header);
    if (identifier === undefined) {
      this.problem({ code: 'record.identifier', message: 'the record has no identifier', where: url, line });
      return;
    }
    const at = datestamp === undefined ? undefined : dateSpan(datestamp)?.startAt;
    if (!this.#isNewest(identifier, at)) return;
    this.#handles.set(identifier, {
      identifier: header.identifier ?? identifier,
      ...(at !== undefined && { at }),
    });
    if (at === undefined) {
      const message =
        datestamp === undefined ? 'the record has no datestamp' : `"${datestamp}" is no datestamp`;
      this.problem({ code: 'record.datestamp', message, where: url, line, identifier });
    }
    if (header.deleted) this.#delete(identifier);
    else if (metadata) {
      this.#drop(identifier);
      this.#pieces.set(identifier, {
        bytes: metadata.bytes,
        syntax: 'xml',
        where: url,
        line: metadata.line,
        fallbackIdentifier: identifier,
        identifier,
        repair: true,
        ...(this.#list.format !== undefined && { format: this.#list.format }),
      });
      this.#bytes += metadata.bytes.length;
      this.#facts.set(identifier, this.#factsOf(record, identifier, at, metadata.namespace, harvestedAt));
    } else this.#missing(identifier, url, line);
    if (this.#isFull) await this.flush();
  }

  /** A header alone tells of deletions only. */
  header(header: OaiHeader): void {
    const identifier = this.#identifierOf(header);
    if (identifier !== undefined && header.deleted) this.#delete(identifier);
  }

  /** The record of a header could not be got. */
  miss(header: OaiHeader, problem: RecordProblem): void {
    const identifier = this.#identifierOf(header);
    if (identifier === undefined) return;
    const at = header.datestamp === undefined ? undefined : dateSpan(header.datestamp)?.startAt;
    this.#handles.set(identifier, {
      identifier: header.identifier ?? identifier,
      ...(at !== undefined && { at }),
    });
    this.problem({ ...problem, identifier });
  }

  async flush(more: Pick<LineBatch, 'checkpoint' | 'readEntries' | 'lost' | 'found'> = {}): Promise<void> {
    const pieces = [...this.#pieces.values()];
    const deletions = [...this.#deletions.values()];
    const problems = this.#problems;
    const facts = this.#facts;
    const handles = this.#handles;
    this.#pieces = new Map();
    this.#facts = new Map();
    this.#handles = new Map();
    this.#deletions = new Map();
    this.#problems = [];
    this.#bytes = 0;
    const { format, prefix } = this.#list;
    await this.#line.add({
      list: prefix,
      pieces,
      facts,
      handles,
      deletions,
      problems,
      ...(format !== undefined && { filteredFormat: format }),
      ...more,
    });
  }

  /** Captures have the identifiers of all captures: URLs as the URL Standard writes them. */
  #identifierOf({ identifier }: OaiHeader): string | undefined {
    return identifier !== undefined && this.#list.captures ? identifierOf(identifier) : identifier;
  }

  get #isFull(): boolean {
    return (
      this.#pieces.size >= MAX_PIECES ||
      this.#bytes >= MAX_BYTES ||
      this.#deletions.size + this.#problems.length >= MAX_NOTES
    );
  }

  #isNewest(identifier: string, at: Instant | undefined): boolean {
    const known = this.#recent.get(identifier);
    if (known !== undefined && at !== undefined && at < known) return false;
    if (at !== undefined) {
      this.#recent.delete(identifier);
      this.#recent.set(identifier, at);
      if (this.#recent.size > MAX_RECENT) this.#recent.delete(this.#recent.keys().next().value ?? '');
    }
    return true;
  }

  #drop(identifier: string): void {
    this.#pieces.delete(identifier);
    this.#facts.delete(identifier);
    this.#deletions.delete(identifier);
  }

  #delete(identifier: string): void {
    this.#drop(identifier);
    const { format } = this.#list;
    this.#deletions.set(identifier, { identifier, ...(format !== undefined && { format }) });
  }

  #missing(identifier: string, url: string, line: number): void {
    const message = 'the record has no metadata, and is not marked as deleted';
    this.problem({ code: 'record.metadata', message, where: url, line, identifier });
  }

  #factsOf(
    { header, provenance: earlier }: OaiRecordPiece,
    identifier: string,
    at: Instant | undefined,
    metadataNamespace: string,
    harvestedAt: Instant,
  ): RecordFacts {
    const harvestDate = formatOai(harvestedAt);
    const isDay = header.datestamp !== undefined && /^\d{4}-\d\d-\d\d$/.test(header.datestamp);
    const provenance: OriginDescription = {
      baseURL: this.#baseUrl,
      identifier: header.identifier ?? identifier,
      datestamp: at === undefined ? harvestDate : formatOai(at, isDay ? 'YYYY-MM-DD' : undefined),
      metadataNamespace,
      harvestDate,
      altered: this.#list.captures === true,
      ...(earlier && { originDescription: earlier }),
    };
    return {
      sets: header.sets,
      ...(isAbsoluteUri(header.identifier ?? '') && { oaiIdentifier: header.identifier ?? identifier }),
      origin: { prefix: this.#list.prefix, provenance },
    };
  }
}
