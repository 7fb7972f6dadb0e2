/** `docs/errors.md`, from the table of errors. */
import { ERROR_KINDS } from '../src/core/errors.ts';

export function writeErrorsReference(): string {
  const lines = Object.entries(ERROR_KINDS).map(
    ([code, { http, exit, retryable, help }]) =>
      `| \`${code}\` | ${http} | ${exit} | ${retryable ? 'yes' : ''} | ${help.replaceAll('|', '\\|')} |`,
  );
  return `# Errors

<!-- Written by \`npm run docs\` from src/core/errors.ts; change it there. -->

Every error that Garner raises on purpose has a code. It stands in logs, in JSON answers and in brackets
behind messages on the command line. *Again* tells whether the same call may succeed later.

Exit codes of the command line: 0 done, 1 failed, 2 wrong usage or config, 3 done but incomplete.

| code | HTTP | exit | again | what it means and what to do |
|---|---|---|---|---|
${lines.join('\n')}
`;
}
