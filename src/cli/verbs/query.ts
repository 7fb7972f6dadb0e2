import { openProfiles } from '../../app/profiles.ts';
import { openVocabulary } from '../../app/vocabulary.ts';
import { OPERATOR } from '../../core/access.ts';
import { GarnerError } from '../../core/errors.ts';
import type { Profiles } from '../../federate/profiles.ts';
import { findUnknownAttribute } from '../../federate/unknown-attribute.ts';
import { profileToJson } from '../../formats/oodt-profile/json-form.ts';
import { parseDis } from '../../query/dis/parse-dis.ts';
import { openForVerb } from '../open.ts';
import { queryNetwork, sayProfile } from '../query-network.ts';
import { formatCount } from '../terminal.ts';
import { listOption, textOption, type Verb } from '../verb.ts';

const MOST = 1000;

export const queryVerb: Verb = {
  name: 'query',
  summary: 'find resources by their profiles, with a DIS expression',
  usage: 'query "DIS" [--local] [--exact] [--source NAME]… [--limit N] [--after CURSOR]',
  options: {
    local: { type: 'boolean', help: 'only here, even when there are peers (`federate.peers`)' },
    exact: { type: 'boolean', help: 'without synonyms and without what the ontology has below a term' },
    source: { type: 'string', multiple: true, value: 'NAME', help: 'only of this source (repeatable)' },
    limit: { type: 'string', value: 'N', help: `how many (default 10, at most ${MOST})` },
    after: { type: 'string', value: 'CURSOR', help: 'the next page: what the previous one called "next"' },
  },
  examples: [
    'garner query "TARGET_NAME=IO AND EXPOSURE_DURATION > 60.0"',
    "garner query 'TITLE LIKE %ice% AND NOT FORMAT = text/html AND RETURN = DATE' --json",
  ],
  async run({ positionals, values, terminal }) {
    const expression = positionals.join(' ');
    const { query, select, from, names } = parseDis(expression);
    const limit = Number(textOption(values, 'limit') ?? 10);
    if (!Number.isInteger(limit) || limit < 0 || limit > MOST)
      throw new GarnerError('usage.invalid', `--limit takes a whole number up to ${MOST}`);
    const after = textOption(values, 'after');
    const sources = [...listOption(values, 'source'), ...from];
    await using garner = await openForVerb(values, terminal);
    const vocabulary = await openVocabulary(garner.config);
    const profiles = await openProfiles(garner, undefined, vocabulary);
    const isLocal = values.local === true || listOption(values, 'source').length > 0 || after !== undefined;
    const hasPeers = Object.keys(garner.config.federate.peers).length > 0;
    const findUnknown = async (elsewhere: readonly string[]): Promise<string | undefined> => {
      const { aggregates } = profiles;
      const fields = [...garner.catalogue.names, ...elsewhere];
      const unknown = findUnknownAttribute(names, { aggregates, vocabulary, fields });
      return unknown && !(await isThere(profiles, unknown.name)) ? unknown.message : undefined;
    };
    try {
      if (hasPeers && !isLocal && limit > 0)
        return await queryNetwork(
          garner,
          profiles,
          { query, from, select, limit, exact: values.exact === true },
          findUnknown,
          terminal,
        );
      const answer = await profiles.find(
        {
          query,
          limit,
          exact: values.exact === true,
          ...(sources.length > 0 && { sources }),
          ...(after !== undefined && { after }),
        },
        OPERATOR,
      );
      const { total, next } = answer;
      terminal.answer({ total, profiles: answer.profiles.map(profileToJson), ...(next && { next }) });
      terminal.say(`${formatCount(total)} ${total === 1 ? 'resource' : 'resources'}`);
      for (const profile of answer.profiles) sayProfile(terminal, profile, select);
      if (next !== undefined) terminal.say(`more: --after ${next}`);
      const unknown = total === 0 ? await findUnknown([]) : undefined;
      if (unknown !== undefined) terminal.warn(`note: ${unknown}`);
      return 0;
    } finally {
      profiles.close();
    }
  },
};

/** Profiles bring attributes of their own, which may not be gathered yet. */
async function isThere(profiles: Profiles, field: string): Promise<boolean> {
  const query = { type: 'compare', field, operator: 'EXISTS', value: '' } as const;
  return (await profiles.find({ query, limit: 0, exact: true }, OPERATOR)).total > 0;
}
