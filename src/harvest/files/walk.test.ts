import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { writeTar, writeTarGz, writeZip } from './archives.fixture.ts';
import type { Finding } from './entry.ts';
import { ARCHIVE_LIMITS, type ArchiveLimits } from './limits.ts';
import { walkPaths } from './walk.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'garner-walk-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function put(path: string, content: string | Uint8Array): Promise<string> {
  const full = join(folder, path);
  await mkdir(dirname(full), { recursive: true });
  await writeFile(full, content);
  return full;
}

interface Summary {
  entries: { name: string; syntax: string; text: string }[];
  skipped: string[];
  problems: { name: string; loss: string; code: string; message: string }[];
}

async function walkAll(paths: readonly string[], limits?: ArchiveLimits): Promise<Summary> {
  const summary: Summary = { entries: [], skipped: [], problems: [] };
  for await (const finding of walkPaths(paths, limits)) await note(finding, summary);
  return summary;
}

async function note(finding: Finding, summary: Summary): Promise<void> {
  if (finding.kind === 'skipped' || finding.kind === 'foreign') summary.skipped.push(finding.name);
  else if (finding.kind === 'problem') {
    const { code, message } = finding.problem;
    summary.problems.push({ name: finding.name, loss: finding.loss, code, message });
  } else {
    const { name, syntax } = finding.entry;
    summary.entries.push({ name, syntax, text: await readText(finding.entry.open()) });
  }
}

async function readText(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of bytes) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

const names = (summary: Summary) => summary.entries.map(({ name }) => name);

describe('walking a folder', () => {
  it('finds XML and JSON by content, in a stable order, and skips the rest without complaint', async () => {
    await put('set/b.dat', '  \n<r/>');
    await put('set/a/z.txt', '{"id":1}');
    await put('set/a/list.json', '[{"id":1}]');
    await put('set/README.txt', 'Just words');
    await put('set/settings.ini', '[section]\nkey = 1');
    await put('set/page.html', '<!DOCTYPE html><p>');
    await put('set/.hidden.xml', '<r/>');
    await put('set/.git/x.xml', '<r/>');
    await put('set/empty.xml', '');
    await put('set/c.xml', Buffer.from('\ufeff<r>ä</r>', 'utf16le'));
    await put('set/d.xml', '\ufeff<r/>');
    const summary = await walkAll([join(folder, 'set')]);
    assert.deepEqual(
      summary.entries.map(({ name, syntax }) => [name, syntax]),
      [
        ['set/a/list.json', 'json'],
        ['set/a/z.txt', 'json'],
        ['set/b.dat', 'xml'],
        ['set/c.xml', 'xml'],
        ['set/d.xml', 'xml'],
      ],
    );
    assert.equal(summary.entries[2]?.text, '  \n<r/>');
    assert.deepEqual(summary.skipped, [
      'set/.git',
      'set/.hidden.xml',
      'set/README.txt',
      'set/empty.xml',
      'set/page.html',
      'set/settings.ini',
    ]);
    assert.deepEqual(summary.problems, []);
  });

  it('opens a file again from its first byte', async () => {
    const path = await put('big.xml', `<r>${'x'.repeat(700_000)}</r>`);
    for await (const finding of walkPaths([path])) {
      assert.equal(finding.kind, 'entry');
      if (finding.kind !== 'entry') return;
      assert.equal(finding.entry.size, 700_007);
      const first = await readText(finding.entry.open());
      assert.equal(first.length, 700_007);
      assert.equal(await readText(finding.entry.open()), first);
    }
  });

  it('tells two origins with the same last name apart', async () => {
    await put('one/set/a.xml', '<r/>');
    await put('two/set/a.xml', '<r/>');
    const summary = await walkAll([join(folder, 'one/set'), join(folder, 'two/set')]);
    assert.deepEqual(names(summary), ['set/a.xml', 'set~2/a.xml']);
  });

  it('refuses links that lead out, and meets the targets of inner links once', async () => {
    await put('outside.xml', '<secret/>');
    await put('set/a.xml', '<r/>');
    await symlink(join(folder, 'outside.xml'), join(folder, 'set/leak.xml'));
    await symlink(folder, join(folder, 'set/up'));
    await symlink(join(folder, 'set'), join(folder, 'set/loop'));
    await symlink(join(folder, 'nowhere'), join(folder, 'set/broken.xml'));
    const summary = await walkAll([join(folder, 'set')]);
    assert.deepEqual(names(summary), ['set/a.xml']);
    assert.deepEqual(summary.skipped, ['set/loop']);
    assert.deepEqual(
      summary.problems.map(({ name, code, loss }) => [name, code, loss]),
      [
        ['set/broken.xml', 'source.unreadable', 'entry'],
        ['set/leak.xml', 'archive.unsafe', 'refused'],
        ['set/up', 'archive.unsafe', 'refused'],
      ],
    );
  });

  it('follows a link that is itself the origin', async () => {
    await put('real/a.xml', '<r/>');
    await symlink(join(folder, 'real'), join(folder, 'current'));
    assert.deepEqual(names(await walkAll([join(folder, 'current')])), ['current/a.xml']);
  });

  it('reports an unreadable file or folder and goes on', async (t) => {
    if (process.getuid?.() === 0 || process.platform === 'win32')
      return t.skip('needs a user whom permissions stop');
    await put('set/a.xml', '<r/>');
    await chmod(await put('set/b.xml', '<r/>'), 0o000);
    await put('set/c/x.xml', '<r/>');
    await chmod(join(folder, 'set/c'), 0o000);
    const summary = await walkAll([join(folder, 'set')]);
    await chmod(join(folder, 'set/c'), 0o700);
    assert.deepEqual(names(summary), ['set/a.xml']);
    assert.deepEqual(
      summary.problems.map(({ name, loss }) => [name, loss]),
      [
        ['set/b.xml', 'entry'],
        ['set/c', 'rest'],
      ],
    );
  });

  it('reports an origin that is not there', async () => {
    const { problems } = await walkAll([join(folder, 'gone')]);
    assert.equal(problems[0]?.code, 'source.unreadable');
    assert.equal(problems[0]?.loss, 'rest');
  });
});

describe('walking archives', () => {
  const members = [
    { name: 'README.md', content: 'words' },
    { name: 'in/b.xml', content: '<b/>' },
    { name: './a.json', content: '{"a":1}' },
    { name: 'in/.c.xml', content: '<c/>' },
  ];

  it('finds the same entries in a zip, a tar and a tar.gz, whatever they are called', async () => {
    await put('set/1.bin', writeZip(members));
    await put('set/2.bin', await writeTar(members));
    await put('set/3.bin', await writeTarGz(members));
    const summary = await walkAll([join(folder, 'set')]);
    const expected = [1, 2, 3].flatMap((n) => [
      { name: `set/${n}.bin!in/b.xml`, syntax: 'xml', text: '<b/>' },
      { name: `set/${n}.bin!a.json`, syntax: 'json', text: '{"a":1}' },
    ]);
    assert.deepEqual(summary.entries, expected);
    assert.deepEqual(summary.problems, []);
    assert.equal(summary.skipped.length, 6);
  });

  it('reads an archive that is itself the origin, and a single gzipped file', async () => {
    const zip = await put('x.zip', writeZip([{ name: 'a.xml', content: '<a/>' }]));
    const gz = await put('dump.xml.gz', gzipSync('<dump/>'));
    const summary = await walkAll([zip, gz]);
    assert.deepEqual(summary.entries, [
      { name: 'x.zip!a.xml', syntax: 'xml', text: '<a/>' },
      { name: 'dump.xml.gz', syntax: 'xml', text: '<dump/>' },
    ]);
  });

  it('goes on in a tar whose entries nobody opens', async () => {
    const big = `<r>${'y'.repeat(900_000)}</r>`;
    const path = await put(
      'x.tar.gz',
      await writeTarGz([
        { name: 'a.xml', content: big },
        { name: 'b.xml', content: big },
        { name: 'c.xml', content: '<c/>' },
      ]),
    );
    const found: string[] = [];
    for await (const finding of walkPaths([path])) {
      if (finding.kind !== 'entry') continue;
      found.push(finding.entry.name);
      if (finding.entry.name.endsWith('b.xml')) {
        for await (const chunk of finding.entry.open()) {
          assert.ok(chunk.length > 0);
          break;
        }
      }
    }
    assert.deepEqual(found, ['x.tar.gz!a.xml', 'x.tar.gz!b.xml', 'x.tar.gz!c.xml']);
  });

  it('ends cleanly when the walk is left in the middle', async () => {
    const path = await put('x.tar.gz', await writeTarGz(members));
    for await (const finding of walkPaths([path])) if (finding.kind === 'entry') break;
    const zip = await put('x.zip', writeZip(members));
    for await (const finding of walkPaths([zip])) if (finding.kind === 'entry') break;
  });

  it('refuses names that lead out of the archive and names that come twice', async () => {
    const nasty = [
      { name: '../up.xml', content: '<r/>' },
      { name: 'in/../../up.xml', content: '<r/>' },
      { name: '/etc/x.xml', content: '<r/>' },
      { name: 'C:\\x.xml', content: '<r/>' },
      { name: 'ok\\win.xml', content: '<r/>' },
      { name: 'ok/win.xml', content: '<r2/>' },
    ];
    for (const [file, bytes] of [
      ['x.zip', writeZip(nasty)],
      ['x.tar', await writeTar(nasty)],
    ] as const) {
      const summary = await walkAll([await put(file, bytes)]);
      assert.deepEqual(names(summary), [`${file}!ok/win.xml`]);
      assert.equal(summary.entries[0]?.text, '<r/>');
      assert.equal(summary.problems.length, 5);
      assert.ok(summary.problems.every(({ code, loss }) => code === 'archive.unsafe' && loss === 'refused'));
    }
  });

  it('does not follow links inside archives', async () => {
    const zip = await put('x.zip', writeZip([{ name: 'l.xml', content: '/etc/passwd', unixMode: 0o120777 }]));
    const tar = await put('x.tar', await writeTar([{ name: 'l.xml', linkTo: '/etc/passwd' }]));
    const summary = await walkAll([zip, tar]);
    assert.deepEqual(names(summary), []);
    assert.deepEqual(summary.skipped, ['x.zip!l.xml', 'x.tar!l.xml']);
  });

  it('reports archives inside archives and reads their neighbours', async () => {
    const inner = writeZip([{ name: 'a.xml', content: '<a/>' }]);
    const zip = await put(
      'x.zip',
      writeZip([
        { name: 'in.zip', content: inner },
        { name: 'b.xml', content: '<b/>' },
      ]),
    );
    const summary = await walkAll([zip]);
    assert.deepEqual(names(summary), ['x.zip!b.xml']);
    assert.deepEqual(
      summary.problems.map(({ name, code }) => [name, code]),
      [['x.zip!in.zip', 'archive.nested']],
    );
  });

  it('stops bombs: by ratio, by size, and when the directory lies', async () => {
    const limits = { ...ARCHIVE_LIMITS, maxRatio: 20, ratioFloorBytes: 10_000, maxEntryBytes: 500_000 };
    const bomb = `<r>${' '.repeat(400_000)}</r>`;
    const zip = await walkAll([await put('x.zip', writeZip([{ name: 'a.xml', content: bomb }]))], limits);
    assert.deepEqual(names(zip), []);
    assert.equal(zip.problems[0]?.code, 'archive.unsafe');
    const packed = await writeTarGz([
      { name: 'a.xml', content: '<ok/>' },
      { name: 'b.xml', content: bomb },
    ]);
    const tar = await walkAll([await put('x.tgz', packed)], limits);
    assert.match(tar.problems[0]?.message ?? '', /20 times its size/);
    assert.equal(tar.problems[0]?.loss, 'rest');
    const liar = writeZip([{ name: 'a.xml', content: `<r>${'ab'.repeat(3000)}</r>`, claimedSize: 10 }]);
    const lied = await walkAll([await put('liar.zip', liar)]);
    assert.deepEqual(names(lied), []);
    assert.match(lied.problems[0]?.message ?? '', /too many bytes/);
    const big = await put(
      'big.tar',
      await writeTar([
        { name: 'a.xml', content: `${bomb}${bomb}` },
        { name: 'b.xml', content: '<b/>' },
      ]),
    );
    const tarBySize = await walkAll([big], limits);
    assert.deepEqual(names(tarBySize), ['big.tar!b.xml']);
    assert.equal(tarBySize.problems[0]?.loss, 'entry');
  });

  it('reports a damaged archive as loss of the rest and goes on with the next file', async () => {
    const tar = await writeTarGz([
      { name: 'a.xml', content: '<a/>' },
      { name: 'b.xml', content: `<b>${'z'.repeat(90_000)}</b>` },
    ]);
    await put('set/1.tgz', tar.subarray(0, tar.length - 40));
    const zip = writeZip([{ name: 'a.xml', content: '<a/>' }]);
    await put('set/2.zip', zip.subarray(0, zip.length - 30));
    await put(
      'set/3.tar',
      (await writeTar([{ name: 'a.xml', content: 'x'.repeat(2000) }])).subarray(0, 1200),
    );
    await put('set/4.xml', '<r/>');
    const findings: string[] = [];
    for await (const finding of walkPaths([join(folder, 'set')])) {
      if (finding.kind === 'entry') {
        findings.push(finding.entry.name);
        await readText(finding.entry.open()).catch(() => findings.push('broken off'));
      } else if (finding.kind === 'problem') findings.push(`${finding.name} ${finding.loss}`);
    }
    assert.ok(findings.includes('set/1.tgz rest'), findings.join('\n'));
    assert.ok(findings.includes('set/2.zip rest'));
    assert.ok(findings.includes('set/3.tar rest'));
    assert.equal(findings.at(-1), 'set/4.xml');
  });
});
