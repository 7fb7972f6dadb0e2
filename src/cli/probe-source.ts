/** Whether an OAI-PMH provider answers and has what its source wants: for `garner check`. */
import type { Config, SourceConfig } from '../core/config.ts';
import { asGarnerError } from '../core/errors.ts';
import { sourcePolicy } from '../harvest/http/source-policy.ts';
import { probeOai } from '../harvest/oai/index.ts';

export interface ProbeAnswer {
  /** What the provider says of itself, in words. */
  readonly said: readonly string[];
  readonly mistakes: readonly string[];
}

/** Undefined for kinds of sources that cannot be probed. */
export async function probeSource(
  source: SourceConfig | undefined,
  repository: Config['repository'],
): Promise<ProbeAnswer | undefined> {
  if (source?.kind !== 'oai') return undefined;
  const { format = 'oai_dc', prefixes = { [format]: undefined } } = source;
  try {
    // Whoever checks waits in front of the terminal: one try will do.
    const policy = { ...sourcePolicy(source, repository), attempts: 1 };
    const { identity, formats, mistakes } = await probeOai({ ...source, prefixes }, policy);
    const { repositoryName, granularity, deletedRecord, isStatic, doubts } = identity;
    return {
      said: [
        `${isStatic ? 'static repository' : 'answers as'} ${JSON.stringify(repositoryName ?? 'nameless')}`,
        `datestamps by ${granularity === 'YYYY-MM-DD' ? 'day' : 'second'}, deletions ${deletedRecord}`,
        `formats ${formats.map(({ prefix }) => prefix).join(', ')}`,
        ...doubts.map((doubt) => `doubtful: ${doubt}`),
      ],
      mistakes,
    };
  } catch (thrown) {
    const error = asGarnerError(thrown);
    if (error.code === 'internal.bug') throw error;
    return { said: [], mistakes: [`${error.message} [${error.code}]`] };
  }
}
