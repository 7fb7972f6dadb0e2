/** Options of a benchmark, with a help text made of them. */
import { parseArgs } from 'node:util';

interface Option {
  /** What stands for the value in the help; without it the option is a flag. */
  readonly value?: string;
  readonly default?: string;
  readonly help: string;
}

type Values<T extends Record<string, Option>> = {
  readonly [K in keyof T]: T[K] extends { readonly default: string }
    ? string
    : T[K] extends { readonly value: string }
      ? string | undefined
      : boolean | undefined;
};

/** Ends the process after `--help`. */
export function readOptions<const T extends Record<string, Option>>(about: string, options: T): Values<T> {
  const { values } = parseArgs({
    options: {
      help: { type: 'boolean', short: 'h' },
      ...Object.fromEntries(
        Object.entries(options).map(([name, { value, default: usual }]) => [
          name,
          {
            type: value === undefined ? 'boolean' : 'string',
            ...(usual !== undefined && { default: usual }),
          },
        ]),
      ),
    },
  });
  if (values.help === true) {
    process.stdout.write(`${about}\n${Object.entries(options).map(writeOption).join('')}`);
    process.exit();
  }
  return values as Values<T>;
}

const WIDTH = 20;

function writeOption([name, { value, default: usual, help }]: readonly [string, Option]): string {
  const left = `  --${name}${value === undefined ? '' : ` ${value}`}`;
  return `${left.padEnd(WIDTH)} ${help}${usual === undefined ? '' : ` (${usual})`}\n`;
}
