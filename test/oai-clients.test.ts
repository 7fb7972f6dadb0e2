/** Harvesters that others wrote read the whole repository: Perl's HTTP::OAI and Python's sickle, where they are installed. */
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import {
  dublinCore,
  headersOf,
  iso,
  listPages,
  openRepository,
  type TestRepository,
} from './oai-repository.ts';

const run = promisify(execFile);

const PERL = `
  use HTTP::OAI;
  my $harvester = HTTP::OAI::Harvester->new(baseURL => $ARGV[0]);
  my $identify = $harvester->Identify;
  die $identify->message if $identify->is_error;
  binmode STDOUT, ':utf8';
  my $records = $harvester->ListRecords(metadataPrefix => $ARGV[1], onRecord => sub {
    my ($record) = @_;
    print $record->is_deleted ? '-' : '', $record->identifier, "\\n";
  });
  die $records->message if $records->is_error;
`;

const PYTHON = `
import sys
from sickle import Sickle
client = Sickle(sys.argv[1], max_retries=0)
client.Identify()
list(client.ListSets())
assert any(f.metadataPrefix == 'oai_dc' for f in client.ListMetadataFormats())
for record in client.ListRecords(metadataPrefix=sys.argv[2]):
    print(('-' if record.header.deleted else '') + record.header.identifier)
`;

/** The client of that language, and how to know that it is there. */
const CLIENTS = [
  { name: 'HTTP::OAI', command: 'perl', probe: ['-MHTTP::OAI', '-e', '1'], run: ['-e', PERL] },
  { name: 'sickle', command: 'python3', probe: ['-c', 'import sickle'], run: ['-c', PYTHON] },
] as const;

let repository: TestRepository;
before(async () => {
  repository = await openRepository({ oai: { pageSize: 10 } });
  const { commit, extract } = repository;
  const wait = (seconds: number) => repository.wait(seconds);
  await commit('ocean', {
    records: [
      ...Array.from({ length: 57 }, (_, i) => extract(dublinCore(`urn:a:${i}`, `Wäve ${i} &amp; more`))),
      ...Array.from({ length: 12 }, (_, i) => extract(iso(`iso-${i}`, `Current ${i}`))),
    ],
  });
  wait(10);
  await commit('ocean', { deletions: [{ identifier: 'urn:a:3' }, { identifier: 'iso-4' }] });
  wait(10);
});
after(() => repository.close());

void describe('independent harvesters', () => {
  for (const client of CLIENTS)
    for (const prefix of ['oai_dc', 'iso19139']) {
      const isThere = spawnSync(client.command, client.probe).status === 0;
      test(`${client.name} gets every record in ${prefix}, in order, deleted ones too`, {
        skip: isThere ? false : `${client.name} is not installed`,
      }, async () => {
        const { stdout } = await run(client.command, [...client.run, repository.baseUrl, prefix]);
        const expected: string[] = [];
        for await (const page of listPages(repository, 'ListIdentifiers', `metadataPrefix=${prefix}`))
          expected.push(...headersOf(page));
        assert.equal(expected.length, prefix === 'oai_dc' ? 69 : 12);
        assert.deepEqual(stdout.trim().split('\n'), expected);
      });
    }
});
