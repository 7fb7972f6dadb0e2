/** What a verb of the command line is; `verbs/index.ts` lists them all. */
import type { ParseArgsConfig } from 'node:util';
import type { Terminal } from './terminal.ts';

export type OptionValues = Readonly<
  Record<string, string | boolean | readonly (string | boolean)[] | undefined>
>;

export interface VerbCall {
  readonly positionals: readonly string[];
  readonly values: OptionValues;
  readonly terminal: Terminal;
  /** Aborted by Ctrl-C or SIGTERM: long work stops at the next batch and can be resumed. */
  readonly signal: AbortSignal;
}

/** 0 done, 1 failed, 2 wrong usage or config, 3 done but incomplete: documented in docs/reference/cli.md. */
export type ExitCode = 0 | 1 | 2 | 3;

export interface Verb {
  readonly name: string;
  readonly summary: string;
  /** After `garner `, e.g. `search QUERY [--view NAME]`. */
  readonly usage: string;
  /** One line of help per option, in order. */
  readonly options: Readonly<Record<string, OptionSpec>>;
  readonly examples: readonly string[];
  run(call: VerbCall): Promise<ExitCode>;
}

export interface OptionSpec {
  readonly type: 'string' | 'boolean';
  readonly multiple?: boolean;
  readonly help: string;
  /** Shown in help for string options. */
  readonly value?: string;
}

export const COMMON_OPTIONS = {
  config: { type: 'string', value: 'FILE', help: 'config file (default: garner.yaml here, if there is one)' },
  json: { type: 'boolean', help: 'print JSON: one document, or one event per line for long work' },
  help: { type: 'boolean', help: 'show this help' },
} as const satisfies Record<string, OptionSpec>;

export function parseOptions(verb: Verb): NonNullable<ParseArgsConfig['options']> {
  const options: NonNullable<ParseArgsConfig['options']> = {};
  for (const [name, spec] of Object.entries({ ...COMMON_OPTIONS, ...verb.options } as Record<
    string,
    OptionSpec
  >)) {
    options[name] = { type: spec.type, multiple: spec.multiple ?? false };
  }
  return options;
}

export function textOption(values: OptionValues, name: string): string | undefined {
  const value = values[name];
  return typeof value === 'string' ? value : undefined;
}

export function listOption(values: OptionValues, name: string): readonly string[] {
  const value = values[name];
  return Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : [];
}
