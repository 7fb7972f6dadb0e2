/** How an error is told on the command line: message, help and code; an event in JSON mode. */
import { ERROR_KINDS, type GarnerError } from '../core/errors.ts';
import type { Terminal } from './terminal.ts';
import type { ExitCode } from './verb.ts';

/** Gives the exit code that belongs to it. `where`: what the error is about, when there are several such things. */
export function tellError(terminal: Terminal, error: GarnerError, where?: string): ExitCode {
  const { help, exit } = ERROR_KINDS[error.code];
  const { code, message, details } = error;
  terminal.progressDone();
  if (terminal.json)
    terminal.event({
      ...(where !== undefined && { source: where }),
      error: { code, message, details, help },
    });
  else {
    terminal.warn(`${where ?? 'garner'}: ${message}`);
    terminal.warn(`  ${help} [${code}]`);
  }
  return exit;
}
