/**
 * One list from the lists of many servers. What fits the question as it stands comes before what only its
 * server says to fit; then what several servers give, and give early (reciprocal ranks).
 */
import type { Profile } from '../../formats/oodt-profile/profile.ts';

export interface FoundProfile {
  readonly profile: Profile;
  /** The server that gave it first; empty: this one. */
  readonly server: string;
  /** Looked at here, it fits the question. */
  readonly verified: boolean;
}

const RANK_OFFSET = 60;

interface Ranked extends FoundProfile {
  score: number;
}

export class ResultMerge {
  readonly #byKey = new Map<string, Ranked>();
  readonly #found: Ranked[] = [];
  duplicates = 0;

  /** `rank`: the place in the list of its server, from 0. Undefined: it is there already. */
  add(found: FoundProfile, rank: number): FoundProfile | undefined {
    const keys = keysOf(found.profile);
    const score = 1 / (RANK_OFFSET + rank);
    const known = keys.map((key) => this.#byKey.get(key)).find((entry) => entry !== undefined);
    if (known) {
      known.score += score;
      this.duplicates++;
      return undefined;
    }
    const entry: Ranked = { ...found, score };
    for (const key of keys) this.#byKey.set(key, entry);
    this.#found.push(entry);
    return found;
  }

  list(): FoundProfile[] {
    return this.#found
      .toSorted(
        (a, b) =>
          Number(b.verified) - Number(a.verified) ||
          b.score - a.score ||
          (identifierOf(a.profile) < identifierOf(b.profile) ? -1 : 1),
      )
      .map(({ profile, server, verified }) => ({ profile, server, verified }));
  }
}

const identifierOf = ({ res }: Profile): string => res.Identifier?.[0] ?? '';

/** The same profile, or the same resource at the same place. Numbers alone may be given by many servers. */
function keysOf({ prof, res }: Profile): string[] {
  const identifier = res.Identifier?.[0] ?? '';
  return [
    JSON.stringify(['profile', prof.profId?.[0] ?? '', identifier]),
    ...(res.resLocation ?? []).map((location) => JSON.stringify(['place', location, identifier])),
  ];
}
