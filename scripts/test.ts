/**
 * Runs the tests. Arguments that start with a hyphen go to Node's test runner; the others choose the
 * files whose path contains one of them: `npm test -- core/time --test-name-pattern=zone`.
 */
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';

/** Nothing takes so long: what hangs is to be named, not waited for. */
const LONGEST_MS = 60 * 60 * 1000;

const root = fileURLToPath(new URL('..', import.meta.url));
const given = process.argv.slice(2);
const options = given.filter((argument) => argument.startsWith('-'));
const wanted = given.filter((argument) => !argument.startsWith('-'));

const files = globSync(['src/**/*.test.ts', 'test/**/*.test.ts'], { cwd: root })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => wanted.length === 0 || wanted.some((part) => file.includes(part)))
  .sort();

if (files.length === 0) {
  console.error(`no test file matches ${wanted.join(', ')}`);
  process.exitCode = 2;
} else {
  const { status } = spawnSync(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      '--test',
      '--test-reporter=spec',
      `--test-timeout=${LONGEST_MS}`,
      // Many tests start threads and processes of their own.
      `--test-concurrency=${Math.max(1, Math.min(4, availableParallelism()))}`,
      ...options,
      ...files,
    ],
    { cwd: root, stdio: 'inherit' },
  );
  process.exitCode = status ?? 1;
}
