/** Port: care of the store as a whole. */
import type { AccessRule } from '../core/access.ts';
import type { FieldSpec } from '../core/model.ts';
import type { QueryNode } from '../query/ast.ts';

export interface SourceSpec {
  readonly name: string;
  readonly access: AccessRule;
}

export interface ViewSpec {
  readonly name: string;
  /** Absent: all. */
  readonly sources?: readonly string[];
  readonly query: QueryNode;
  readonly access: AccessRule;
}

/** What the store must know of the configuration. */
export interface StoreSetup {
  /** The folder of the database and its companions. */
  readonly folder: string;
  readonly fields: readonly FieldSpec[];
  /** Of everything that extraction depends on (paths, stylesheets …); absent: of `fields` alone. */
  readonly extractionDigest?: string;
  readonly sources: readonly SourceSpec[];
  readonly views: readonly ViewSpec[];
  /** Domain-like name for minted OAI identifiers. */
  readonly repositoryIdentifier: string;
}

/** How a store of an older version is brought up to date: `words` of items are made again from what is stored. */
export type StoreUpdate =
  | { readonly step: 'tables'; readonly from: number; readonly to: number }
  | { readonly step: 'words'; readonly done: number; readonly total: number }
  | { readonly step: 'done' };

export interface StoreFinding {
  readonly what: string;
  readonly where: string;
}

export interface StoreStatistics {
  readonly schemaVersion: number;
  readonly seq: number;
  readonly items: number;
  readonly liveItems: number;
  readonly versions: number;
  readonly bytes: number;
}

export interface StoreAdmin {
  /** Sources whose fields were extracted under other definitions than now configured. */
  listStale(): Promise<readonly string[]>;
  /** Checks every table against every other, every block and digest, and the index against the records. */
  verify(): Promise<readonly StoreFinding[]>;
  /** A consistent copy while writers go on. */
  backup(targetFolder: string): Promise<void>;
  statistics(): Promise<StoreStatistics>;
  /** Folds deltas and merges index segments; run after large imports. */
  optimise(): Promise<void>;
}
