/**
 * Apache OODT itself, where it is installed: its classes ask Garner's servers, and its web-grid is a peer. It comes by
 *   mvn dependency:get -Dtransitive=false -Dartifact=org.apache.oodt:web-grid:0.7:war
 *   mvn dependency:get -Dtransitive=false -Dartifact=org.eclipse.jetty:jetty-runner:9.4.54.v20240208
 */
import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { compileProfileTest } from '../src/federate/profile/match-profile.ts';
import { writeProfiles } from '../src/formats/oodt-profile/write-xml.ts';
import { parseDis } from '../src/query/dis/parse-dis.ts';
import { exposeSite } from './expose-site.ts';
import { missionOf, openPlanetaryGarner, type PlanetaryGarner, PRODUCTS } from './planetary-garner.ts';

const run = promisify(execFile);
const artifact = (...path: readonly string[]) => join(homedir(), '.m2/repository', ...path);
const WEB_GRID = artifact('org/apache/oodt/web-grid/0.7/web-grid-0.7.war');
const JETTY = artifact('org/eclipse/jetty/jetty-runner/9.4.54.v20240208/jetty-runner-9.4.54.v20240208.jar');
const isHere =
  existsSync(WEB_GRID) &&
  existsSync(JETTY) &&
  spawnSync('javac', ['-version'], { stdio: 'ignore' }).status === 0;
const skip = isHere ? false : 'Apache OODT is not installed; see the beginning of this test';
const source = (name: string) => join(import.meta.dirname, 'oodt', name);

describe('Apache OODT', { skip }, () => {
  const galileo = PRODUCTS.filter((product) => missionOf(product) === 'GALILEO').slice(0, 200);
  const magellan = PRODUCTS.filter((product) => missionOf(product) !== 'GALILEO').slice(0, 200);
  let folder: string;
  let classes: string;
  let old: ChildProcess;
  let garner: PlanetaryGarner;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'garner-oodt-'));
    await run('jar', ['xf', WEB_GRID], { cwd: folder });
    const library = join(folder, 'WEB-INF/lib');
    classes = (await readdir(library)).map((name) => join(library, name)).join(delimiter);
    // It is for a Jetty that is even older.
    await rm(join(folder, 'WEB-INF/jetty-web.xml'));
    const profiles = join(folder, 'profiles.xml');
    await writeFile(profiles, writeProfiles(galileo));
    const handler = 'org.apache.oodt.profile.handlers';
    await writeFile(
      join(folder, 'WEB-INF/config.xml'),
      `<configuration xmlns="http://oodt.jpl.nasa.gov/web-grid/ns/" https="false" localhost="false" password="">
        <server className="${handler}.lightweight.LightweightProfileServer" type="profile"/><codeBases/>
        <properties><property key="${handler}.LightweightProfileServer.profiles.url">file:${profiles}</property></properties>
      </configuration>`,
    );
    old = spawn('java', ['-cp', JETTY, source('OldServer.java'), folder], {
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    assert.ok(old.stdout);
    let port = '';
    for await (const line of createInterface(old.stdout)) {
      port = line;
      break;
    }
    assert.match(port, /^\d+$/, 'its server runs');
    garner = await openPlanetaryGarner({
      products: magellan,
      peers: { old: `http://127.0.0.1:${port}/prof` },
      network: { serverTimeoutMs: 120_000, totalTimeoutMs: 600_000 },
    });
  });
  after(async () => {
    old?.stdin?.end();
    await garner?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const askAsOld = async (...question: readonly string[]): Promise<string[]> => {
    const { stdout } = await run('java', ['-cp', classes, source('OldClient.java'), ...question]);
    return stdout.trimEnd().split('\n');
  };

  for (const way of ['q', 'xmlq'])
    test(`reads profiles of the profile server, asked by ${way}`, async () => {
      const [status, ...found] = await askAsOld(`${garner.url}/prof`, way, 'IMAGE_ID = FO43S181');
      assert.equal(status, '200 text/xml; charset=utf-8');
      assert.equal(found.length, 1);
      assert.match(found[0] ?? '', /^MGN-V-RDRS-5-DIM-V1\.0:FO43S181\t/);
      assert.match(found[0] ?? '', /\tTARGET_NAME=\[VENUS\](?:\t|$)/);
    });

  test('reads gathered profiles: lists of values, and ranges', async () => {
    const [, root] = await askAsOld(`${garner.url}/prof`, 'q', 'RESCLASS = system.profileServer.all');
    assert.match(root ?? '', /^ALL\t/);
    assert.match(root ?? '', /\tCENTER_LATITUDE=-\d+(?:\.\d+)?\.\.\d+/);
    assert.match(root ?? '', /\tMISSION_NAME=\[[^\]]*MAGELLAN/i);
  });

  test('reads what the query server found at its own kind', async () => {
    const [status, ...found] = await askAsOld(`${garner.url}/query`, 'xmlq', 'IMAGE_ID = 24I0131');
    assert.equal(status, '200 text/xml; charset=utf-8');
    assert.match(found.join('\n'), /^GO-J\/JSA-SSI-2-REDR-V1\.0:24I0131\t[^\n]*$/);
  });

  test('gets a product', async () => {
    const files = join(folder, 'images');
    await using site = await exposeSite(
      {},
      {},
      { federate: { servers: { files: { kind: 'folder', path: files } } } },
    );
    const asked = await askAsOld(
      `${site.url}/prod`,
      'xmlq',
      'OFSN = /webapp-small.png AND RT = RAW',
      'image/*',
    );
    assert.equal(asked[0], '200 image/png');
    assert.ok(Number(asked[1]) > 100);
  });

  for (const dis of [
    'TARGET_NAME = io AND EXPOSURE_DURATION > 60.0',
    'NOT FILTER_NAME = RED AND IDENTIFIER LIKE GO-J%',
    'ORBIT_NUMBER >= 20 OR MISSION_NAME = Magellan',
  ])
    test(`is a peer whose products are all found, and no others: ${dis}`, async () => {
      const url = `${garner.url}/api/query?${new URLSearchParams({ q: dis, limit: '1000' })}`;
      const answer = (await (await fetch(url)).json()) as {
        profiles: { profile: { resAttributes: { Identifier: string } } }[];
      };
      const expected = [...galileo, ...magellan].filter(compileProfileTest(parseDis(dis).query));
      assert.ok(expected.some((product) => galileo.includes(product)));
      assert.deepEqual(
        answer.profiles.map(({ profile }) => profile.resAttributes.Identifier).sort(),
        expected.map(({ res }) => res.Identifier?.[0] ?? '').sort(),
      );
    });
});
