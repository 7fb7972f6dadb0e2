/** Geographic coordinates as people write them. */

const HEMISPHERE = '[NSEWO]';
// Degrees, then minutes and seconds behind any of the signs that stand for them.
const DEGREES = new RegExp(
  `^(?<before>${HEMISPHERE})?\\s*(?<sign>[+\\-−])?\\s*(?<degrees>\\d{1,3}(?:\\.\\d+)?)\\s*(?:°|º|deg(?:rees)?)?` +
    `(?:\\s*(?<minutes>\\d{1,2}(?:\\.\\d+)?)\\s*['ʹ′’]\\s*(?:(?<seconds>\\d{1,2}(?:\\.\\d+)?)\\s*(?:["ʺ″”]|''))?)?` +
    `\\s*(?<after>${HEMISPHERE})?$`,
  'iu',
);

/** `-5.25`, `5.25 W`, `5°15′W`; undefined when it is something else. South and west are negative. */
export function readDegrees(text: string): number | undefined {
  const plain = text.trim();
  const number = Number(plain);
  if (plain !== '' && Number.isFinite(number)) return number;
  const groups = DEGREES.exec(plain)?.groups;
  if (!groups || (groups.before && groups.after)) return undefined;
  const size = Number(groups.degrees) + Number(groups.minutes ?? 0) / 60 + Number(groups.seconds ?? 0) / 3600;
  // O is west in French and Spanish (and east in German, which nobody uses in metadata we know of).
  const hemisphere = (groups.before ?? groups.after ?? '').toUpperCase();
  const negative = (groups.sign !== undefined && groups.sign !== '+') !== /[SWO]/.test(hemisphere);
  return negative ? -size : size;
}
