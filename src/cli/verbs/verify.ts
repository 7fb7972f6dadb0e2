import { verifyFrontiers } from '../../crawl/index.ts';
import { openForVerb } from '../open.ts';
import { formatCount } from '../terminal.ts';
import type { Verb } from '../verb.ts';

export const verifyVerb: Verb = {
  name: 'verify',
  summary: 'check the whole store: every digest, every table against every other, the index',
  usage: 'verify',
  options: {},
  examples: ['garner verify'],
  async run({ values, terminal }) {
    await using garner = await openForVerb(values, terminal);
    terminal.progress('verifying …');
    const findings = [...(await garner.store.admin.verify()), ...verifyFrontiers(garner.config.data)];
    const statistics = await garner.store.admin.statistics();
    terminal.answer({ clean: findings.length === 0, findings, statistics });
    for (const finding of findings) terminal.say(`${finding.where}: ${finding.what}`);
    if (findings.length > 0) {
      terminal.say(
        `${formatCount(findings.length)} findings; garner restore brings back a backup, garner reindex rebuilds the index`,
      );
      return 1;
    }
    terminal.say(
      `clean: ${formatCount(statistics.items)} items, ${formatCount(statistics.versions)} versions`,
    );
    return 0;
  },
};
