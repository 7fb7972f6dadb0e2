/** Sets of IP addresses as sorted ranges: union, intersection, complement, and back to networks. */
import { isIP } from 'node:net';

export type Family = 4 | 6;

/** Both ends inclusive. */
export interface AddressRange {
  readonly first: bigint;
  readonly last: bigint;
}

export type AddressSet = Readonly<Record<Family, readonly AddressRange[]>>;

const BITS: Readonly<Record<Family, number>> = { 4: 32, 6: 128 };
const LAST: Readonly<Record<Family, bigint>> = { 4: (1n << 32n) - 1n, 6: (1n << 128n) - 1n };
const FAMILIES: readonly Family[] = [4, 6];

const mapFamilies = (make: (family: Family) => readonly AddressRange[]): AddressSet => ({
  4: make(4),
  6: make(6),
});

export const NO_ADDRESS: AddressSet = { 4: [], 6: [] };
export const EVERY_ADDRESS: AddressSet = mapFamilies((family) => [{ first: 0n, last: LAST[family] }]);

export const isEmpty = (set: AddressSet): boolean => FAMILIES.every((family) => set[family].length === 0);

export const isEverything = (set: AddressSet): boolean =>
  FAMILIES.every((family) => set[family][0]?.first === 0n && set[family][0].last === LAST[family]);

export function unite(...sets: readonly AddressSet[]): AddressSet {
  return mapFamilies((family) => {
    const ranges = sets
      .flatMap((set) => set[family])
      .toSorted((a, b) => (a.first < b.first ? -1 : a.first > b.first ? 1 : 0));
    const united: AddressRange[] = [];
    for (const range of ranges) {
      const previous = united.at(-1);
      if (previous && range.first <= previous.last + 1n) {
        if (range.last > previous.last)
          united[united.length - 1] = { first: previous.first, last: range.last };
      } else united.push(range);
    }
    return united;
  });
}

export function complement(set: AddressSet): AddressSet {
  return mapFamilies((family) => {
    const gaps: AddressRange[] = [];
    let next = 0n;
    for (const { first, last } of set[family]) {
      if (first > next) gaps.push({ first: next, last: first - 1n });
      next = last + 1n;
    }
    if (next <= LAST[family]) gaps.push({ first: next, last: LAST[family] });
    return gaps;
  });
}

export const intersect = (a: AddressSet, b: AddressSet): AddressSet =>
  complement(unite(complement(a), complement(b)));

/** IPv4 inside IPv6 (::ffff:0:0/96): whoever matches networks takes these for IPv4 addresses. */
const MAPPED: AddressRange = { first: 0xffffn << 32n, last: (0xffffn << 32n) + LAST[4] };

/** CIDR networks that together are the set. */
export function toNetworks(given: AddressSet): string[] {
  const set = intersect(given, { ...EVERY_ADDRESS, 6: complement({ 4: [], 6: [MAPPED] })[6] });
  return FAMILIES.flatMap((family) => set[family].flatMap((range) => splitRange(range, family)));
}

function splitRange({ first, last }: AddressRange, family: Family): string[] {
  const networks: string[] = [];
  for (let start = first; start <= last; ) {
    let bits = 0;
    // The largest block that starts here, is aligned, and ends within the range.
    while (
      bits < BITS[family] &&
      start % (1n << BigInt(bits + 1)) === 0n &&
      start + (1n << BigInt(bits + 1)) - 1n <= last
    )
      bits++;
    networks.push(`${writeAddress(start, family)}/${BITS[family] - bits}`);
    start += 1n << BigInt(bits);
  }
  return networks;
}

function writeAddress(value: bigint, family: Family): string {
  if (family === 4) return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 255n).join('.');
  return Array.from({ length: 8 }, (_, i) => ((value >> BigInt(112 - 16 * i)) & 0xffffn).toString(16)).join(
    ':',
  );
}

/**
 * As Apache writes them: an address, `10.1` (the first bytes), `10.1.0.0/16` or `10.1.0.0/255.255.0.0`.
 * Undefined when the text is none of these.
 */
export function parseAddresses(text: string): AddressSet | undefined {
  const [address = '', mask, ...more] = text.split('/');
  if (more.length > 0) return undefined;
  const partial = /^\d{1,3}(?:\.\d{1,3}){0,2}\.?$/.test(address);
  if (partial && mask === undefined) {
    const bytes = address.split('.').filter(Boolean);
    return rangeOf(
      [...bytes, ...Array.from({ length: 4 - bytes.length }, () => '0')].join('.'),
      bytes.length * 8,
    );
  }
  const family = isIP(address);
  if (family === 0) return undefined;
  const width = family === 4 ? 32 : 128;
  const bits = mask === undefined ? width : maskBits(mask);
  return bits === undefined || bits > width ? undefined : rangeOf(address, bits);
}

function maskBits(mask: string): number | undefined {
  if (/^\d{1,3}$/.test(mask)) return Number(mask);
  if (isIP(mask) !== 4) return undefined;
  const inverted = (1n << 32n) - 1n - readV4(mask);
  // A netmask is ones, then zeros.
  return (inverted & (inverted + 1n)) === 0n
    ? 32 - inverted.toString(2).replace(/^0$/, '').length
    : undefined;
}

function rangeOf(address: string, bits: number): AddressSet | undefined {
  const family = isIP(address);
  if (family !== 4 && family !== 6) return undefined;
  const block = 1n << BigInt(BITS[family] - bits);
  const value = family === 4 ? readV4(address) : readV6(address);
  const first = value - (value % block);
  if (family === 6 && first >= MAPPED.first && first + block - 1n <= MAPPED.last)
    return { ...NO_ADDRESS, 4: [{ first: first - MAPPED.first, last: first + block - 1n - MAPPED.first }] };
  return { ...NO_ADDRESS, [family]: [{ first, last: first + block - 1n }] };
}

const readV4 = (address: string): bigint =>
  address.split('.').reduce((value, byte) => value * 256n + BigInt(Number(byte)), 0n);

function readV6(address: string): bigint {
  const embedded = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(address);
  const v4 = embedded?.[2] === undefined ? undefined : readV4(embedded[2]);
  const plain =
    v4 === undefined ? address : `${embedded?.[1]}${(v4 >> 16n).toString(16)}:${(v4 & 0xffffn).toString(16)}`;
  const [head = '', tail] = plain.replace(/%.*$/, '').split('::');
  const groups = (part: string) => (part === '' ? [] : part.split(':'));
  const front = groups(head);
  const back = tail === undefined ? [] : groups(tail);
  const zeros = Array.from({ length: 8 - front.length - back.length }, () => '0');
  return [...front, ...(tail === undefined ? [] : zeros), ...back].reduce(
    (value, group) => value * 65536n + BigInt(Number.parseInt(group, 16)),
    0n,
  );
}
