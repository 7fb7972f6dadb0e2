/** "Did you mean": known names that look like a mistyped one. */
import { editDistance } from './edit-distance.ts';

/** At most `count` names, nearest first; empty when nothing is near. */
export function nearestNames(name: string, known: Iterable<string>, count = 3): string[] {
  const wanted = name.toLowerCase();
  // A third of the letters may be wrong; at least two, so that short names get an answer too.
  const limit = Math.max(2, Math.floor(wanted.length / 3));
  const near: { name: string; distance: number }[] = [];
  for (const candidate of new Set(known)) {
    const lower = candidate.toLowerCase();
    let distance = editDistance(wanted, lower, limit);
    // Half-typed names (`desc` for `description`) are far by edits but plainly meant.
    if (distance > limit && wanted.length >= 2 && (lower.startsWith(wanted) || wanted.startsWith(lower))) {
      distance = limit;
    }
    // Nothing of the name is left when every letter was replaced.
    if (distance <= limit && distance < Math.max(wanted.length, lower.length)) {
      near.push({ name: candidate, distance });
    }
  }
  near.sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1));
  return near.slice(0, count).map((entry) => entry.name);
}
