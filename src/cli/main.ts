/** The command line: finds the verb, runs it, turns its errors into messages and exit codes. */
import { parseArgs } from 'node:util';
import { asGarnerError, GarnerError } from '../core/errors.ts';
import { nearestNames } from '../core/nearest.ts';
import { VERSION } from '../core/version.ts';
import { mainHelp, verbHelp } from './help.ts';
import { tellError } from './tell-error.ts';
import { createTerminal, type TerminalStreams } from './terminal.ts';
import { type ExitCode, parseOptions, type Verb } from './verb.ts';
import { findVerb, loadVerbs, VERB_NAMES } from './verbs/index.ts';

export async function runCommand(
  argv: readonly string[],
  streams: TerminalStreams,
  signal: AbortSignal,
): Promise<ExitCode> {
  const [name, ...rest] = argv;
  const terminal = createTerminal(streams, rest.includes('--json'));
  try {
    if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
      const asked = rest[0] === undefined ? undefined : await findVerb(rest[0]);
      streams.stdout.write(`${asked ? verbHelp(asked) : mainHelp(await loadVerbs())}\n`);
      return name === undefined ? 2 : 0;
    }
    if (name === '--version' || name === '-v') {
      streams.stdout.write(`${VERSION}\n`);
      return 0;
    }
    const verb = await getVerb(name);
    const { values, positionals } = readArguments(verb, rest);
    if (values.help) {
      streams.stdout.write(`${verbHelp(verb)}\n`);
      return 0;
    }
    return await verb.run({ positionals, values, terminal, signal });
  } catch (thrown) {
    const error = asGarnerError(thrown);
    const exit = tellError(terminal, error);
    if (error.code === 'internal.bug' && error.cause instanceof Error) terminal.warn(error.cause.stack ?? '');
    return exit;
  }
}

async function getVerb(name: string): Promise<Verb> {
  const verb = await findVerb(name);
  if (verb) return verb;
  const near = nearestNames(name, VERB_NAMES);
  throw new GarnerError(
    'usage.invalid',
    `there is no verb "${name}"${near.length > 0 ? `; did you mean ${near.join(' or ')}?` : ''}. See: garner --help`,
  );
}

function readArguments(verb: Verb, args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: parseOptions(verb), allowPositionals: true, strict: true });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new GarnerError('usage.invalid', `${reason}\nusage: garner ${verb.usage}`, { cause });
  }
}

/** The launcher's entry: process in, exit code out. */
export async function main(): Promise<void> {
  const stop = new AbortController();
  let stops = 0;
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.on(name, () => {
      stops += 1;
      // The second Ctrl-C does not wait for a clean end: the store survives that too.
      if (stops > 1) process.exit(1);
      stop.abort();
    });
  }
  // Output into a closed pipe (`garner search … | head`) is no error.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
  const code = await runCommand(
    process.argv.slice(2),
    { stdout: process.stdout, stderr: process.stderr },
    stop.signal,
  );
  process.exitCode = code;
}
