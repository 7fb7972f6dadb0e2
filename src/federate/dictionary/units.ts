/** Units of measurement, as far as quantities can be converted by a factor. */

/** How much of the first unit of its row each is. Symbols are told apart by case (`mm`, `Mm`), names are not. */
const ROWS: readonly Readonly<Record<string, number>>[] = [
  {
    s: 1,
    sec: 1,
    second: 1,
    ns: 1e-9,
    us: 1e-6,
    µs: 1e-6,
    ms: 1e-3,
    millisecond: 1e-3,
    min: 60,
    minute: 60,
    h: 3600,
    hr: 3600,
    hour: 3600,
    d: 86_400,
    day: 86_400,
  },
  {
    m: 1,
    metre: 1,
    meter: 1,
    nm: 1e-9,
    um: 1e-6,
    µm: 1e-6,
    micron: 1e-6,
    micrometer: 1e-6,
    mm: 1e-3,
    cm: 1e-2,
    km: 1e3,
    kilometer: 1e3,
    kilometre: 1e3,
    au: 149_597_870_700,
  },
  {
    deg: 1,
    degree: 1,
    '°': 1,
    rad: 180 / Math.PI,
    radian: 180 / Math.PI,
    mrad: 0.18 / Math.PI,
    arcmin: 1 / 60,
    arcsec: 1 / 3600,
  },
  { Hz: 1, hertz: 1, mHz: 1e-3, kHz: 1e3, MHz: 1e6, GHz: 1e9 },
  { kg: 1, kilogram: 1, g: 1e-3, gram: 1e-3, mg: 1e-6, t: 1e3 },
  { B: 1, byte: 1, kB: 1e3, MB: 1e6, GB: 1e9, KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3, bit: 0.125 },
  { Pa: 1, hPa: 100, mbar: 100, kPa: 1e3, bar: 1e5 },
  { 'm/s': 1, 'km/s': 1e3, 'km/h': 1 / 3.6 },
];

const QUANTITY = /^([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)\s*([\p{L}°µ][\p{L}/]*)$/iu;
/** Shorter ones are symbols. */
const LEAST_WORD = 4;
/** Beyond it binary fractions show. */
const DIGITS = 14;

/** `0.5 s` in milliseconds is 500. Undefined: it is no quantity, or of another kind. */
export function convertQuantity(text: string, unit: string): number | undefined {
  const [, number = '', from = ''] = QUANTITY.exec(text.trim()) ?? [];
  for (const row of ROWS) {
    const [given, wanted] = [factorIn(row, from), factorIn(row, unit)];
    if (given !== undefined && wanted !== undefined)
      return Number(((Number(number) * given) / wanted).toPrecision(DIGITS));
  }
  return undefined;
}

/** Symbols as they are (or all in capitals), names in any case and in the plural. */
function factorIn(row: Readonly<Record<string, number>>, unit: string): number | undefined {
  const name = unit.trim();
  const lower = name.toLowerCase();
  const isWord = name.length >= LEAST_WORD;
  const spellings = [
    name,
    ...(isWord || name === name.toUpperCase() ? [lower] : []),
    ...(isWord ? [lower.replace(/s$/, '')] : []),
  ];
  const known = spellings.find((spelling) => spelling !== '' && Object.hasOwn(row, spelling));
  return known === undefined ? undefined : row[known];
}
