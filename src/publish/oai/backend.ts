/**
 * What an OAI-PMH provider needs of whatever holds the records. Implement this interface, hand it to
 * `createOaiProvider`, and any web server can mount the handler that comes back.
 */
import type { Instant } from '../../core/model.ts';
import type { OaiGranularity } from '../../core/time.ts';

/** The facts of an Identify response that are not the protocol's own. */
export interface OaiIdentity {
  readonly repositoryName: string;
  /** At least one. */
  readonly adminEmails: readonly string[];
  /** No record was, is or will be stamped earlier. */
  readonly earliestDatestampAt: Instant;
  readonly deletedRecord: 'no' | 'persistent' | 'transient';
  /** Each is one XML element with its own namespace (oai-identifier, friends …). */
  readonly descriptions?: readonly string[];
}

export interface OaiMetadataFormat {
  readonly prefix: string;
  /** Address of the XML schema. */
  readonly schema: string;
  readonly namespace: string;
}

export interface OaiSet {
  readonly spec: string;
  readonly name: string;
  /** Each is one XML element with its own namespace, oai_dc as a rule. */
  readonly descriptions?: readonly string[];
}

/** One XML element in UTF-8 with its own namespace declarations, whole or piece by piece. */
export type OaiMetadata = string | Uint8Array | AsyncIterable<string | Uint8Array>;

export interface OaiRecord {
  /** An absolute URI. */
  readonly identifier: string;
  readonly datestampAt: Instant;
  /** The most specific ones are enough. */
  readonly sets: readonly string[];
  readonly deleted: boolean;
  /** Of live records, when the request asked for it; or how it is made at the moment when it is written. */
  readonly metadata?: OaiMetadata | (() => OaiMetadata | Promise<OaiMetadata>);
  /** Each is one XML element with its own namespace (provenance, rights …). */
  readonly abouts?: readonly string[];
  /** Where the list goes on after this record; any text, given back in `OaiListRequest.after`. */
  readonly position: string;
}

export interface OaiListRequest {
  readonly prefix: string;
  /** Both inclusive. */
  readonly fromAt?: Instant;
  readonly untilAt?: Instant;
  readonly set?: string;
  /** The position of the last record that was given. */
  readonly after?: string;
  /** At most so many; fewer are fine, none only at the end. */
  readonly limit: number;
  /** False: only headers are wanted. */
  readonly withMetadata: boolean;
}

export interface OaiListPage {
  readonly records: readonly OaiRecord[];
  /** Whether the list went on after the last of them. */
  readonly more: boolean;
  /**
   * Nothing stamped up to this moment can still appear: lists stop there. Absent: the moment of the
   * request, for backends in which a record is visible as soon as it is stamped.
   */
  readonly completeUntilAt?: Instant;
}

export interface OaiBackend {
  /** Default: seconds. */
  readonly granularity?: OaiGranularity;
  identify(): Promise<OaiIdentity>;
  /** Of the repository, or of one item; undefined when there is no such item. */
  listFormats(identifier?: string): Promise<readonly OaiMetadataFormat[] | undefined>;
  /** In a fixed order, after the given spec. A repository without sets leaves it out. */
  listSets?(
    after: string | undefined,
    limit: number,
  ): Promise<{ readonly sets: readonly OaiSet[]; readonly more: boolean }>;
  /** Undefined: there is no such item; `no-format`: there is, but not in this format. */
  findRecord(identifier: string, prefix: string): Promise<OaiRecord | 'no-format' | undefined>;
  /** In the order of datestamps, equal ones always in the same order; `no-format` for an unknown prefix. */
  listRecords(request: OaiListRequest): Promise<OaiListPage | 'no-format'>;
  /** For completeListSize; left out or undefined where counting costs too much. */
  countRecords?(
    request: Pick<OaiListRequest, 'prefix' | 'fromAt' | 'untilAt' | 'set'>,
  ): Promise<number | undefined>;
}
