import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseRobotsHeaders, parseRobotsMeta, robotsRulesFor } from './robots-directives.ts';

test('a META is about robots when its name is theirs', () => {
  assert.deepEqual(parseRobotsMeta(' Robots ', 'NoIndex,NOFOLLOW'), [
    { directive: 'noindex', from: 'meta' },
    { directive: 'nofollow', from: 'meta' },
  ]);
  assert.deepEqual(parseRobotsMeta('ExampleBot-News', 'none'), [
    { userAgent: 'examplebot-news', directive: 'none', from: 'meta' },
  ]);
  assert.equal(parseRobotsMeta('keywords', 'noindex'), undefined);
  assert.equal(parseRobotsMeta('bottom', 'noindex'), undefined);
});

/** Headers, whose robot, and what it may: index, follow, archive. */
const CASES: readonly (readonly [headers: readonly string[], robot: string, may: string])[] = [
  [[], 'Garner/1.0', 'index follow archive'],
  [['noindex'], 'Garner/1.0', 'follow archive'],
  [['none'], 'Garner/1.0', 'archive'],
  [['noarchive, nosnippet'], 'Garner/1.0', 'index follow'],
  [['otherbot: none'], 'Garner/1.0', 'index follow archive'],
  [['garner: nofollow, noarchive', 'noindex'], 'Garner/1.0 (+http://a.example/)', ''],
  [['unavailable_after: 25 Jun 2010 15:00:00 PST'], 'Garner/1.0', 'index follow archive'],
  [['index, follow, all'], 'Garner/1.0', 'index follow archive'],
];
for (const [headers, robot, may] of CASES) {
  test(`${JSON.stringify(headers)} allows ${robot}: ${may || 'nothing'}`, () => {
    const rules = robotsRulesFor(parseRobotsHeaders(headers), robot);
    const allowed = Object.entries(rules)
      .filter(([, yes]) => yes)
      .map(([name]) => name);
    assert.equal(allowed.join(' '), may);
  });
}
