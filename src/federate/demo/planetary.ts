/**
 * A planetary archive that never was: product profiles in the manner of Galileo's camera and spectrometer,
 * Magellan's radar and Mars Odyssey's THEMIS. All numbers are made up, and the same for the same seed.
 */
import type { Profile, ProfileElement } from '../../formats/oodt-profile/profile.ts';
import { createRandom, type Random } from './random.ts';

export interface PlanetaryOptions {
  readonly products?: number;
  readonly seed?: number;
  /** Below it profiles are numbered. */
  readonly oidRoot?: string;
  readonly baseUrl?: string;
}

type Values = Readonly<Record<string, string>>;

interface DataSet {
  readonly id: string;
  /** Of a hundred products. */
  readonly share: number;
  readonly format: string;
  readonly fixed: Values;
  /** The `number`th product of the data set. */
  readonly make: (number: number, random: Random) => Values;
}

const SSI = 'GO-J/JSA-SSI-2-REDR-V1.0';
const NIMS = 'GO-J-NIMS-4-ADR-SAMPLER-V1.0';
const MAGELLAN = 'MGN-V-RDRS-5-DIM-V1.0';
const THEMIS = 'ODY-M-THM-2-IREDR-V1.0';

const MOONS = ['IO', 'IO', 'EUROPA', 'GANYMEDE', 'GANYMEDE', 'CALLISTO', 'JUPITER', 'AMALTHEA'];
const FILTERS = ['CLEAR', 'VIOLET', 'GREEN', 'RED', 'IR-7270', 'IR-7560', 'IR-8890', 'IR-9680'];
const EXPOSURES = [
  '4.17',
  '8.33',
  '12.50',
  '25.00',
  '45.83',
  '62.50',
  '87.50',
  '195.83',
  '395.83',
  '51195.83',
];

const pad = (number: number, digits: number) => String(number).padStart(digits, '0');
const dayMs = 86_400_000;
/** An instant between two days, to the second. */
const time = (random: Random, from: string, to: string) => {
  const start = Date.parse(from);
  return `${new Date(start + Math.floor(random.next() * ((Date.parse(to) - start) / dayMs)) * dayMs + random.whole(0, 86_399) * 1000).toISOString().slice(0, 19)}Z`;
};

/** A centre, and the box around it. */
function place(random: Random, halfDegrees: number): Values {
  const latitude = Number(random.decimal(-80, 80, 2));
  const longitude = Number(random.decimal(0, 359.99, 2));
  const half = Number((halfDegrees * (0.5 + random.next())).toFixed(2));
  const degrees = (value: number) => value.toFixed(2);
  return {
    CENTER_LATITUDE: degrees(latitude),
    CENTER_LONGITUDE: degrees(longitude),
    MINIMUM_LATITUDE: degrees(Math.max(-90, latitude - half)),
    MAXIMUM_LATITUDE: degrees(Math.min(90, latitude + half)),
    WESTERNMOST_LONGITUDE: degrees((longitude - half + 360) % 360),
    EASTERNMOST_LONGITUDE: degrees((longitude + half) % 360),
  };
}

const DATA_SETS: readonly DataSet[] = [
  {
    id: SSI,
    share: 40,
    format: 'image/pds',
    fixed: {
      MISSION_NAME: 'GALILEO',
      INSTRUMENT_HOST_NAME: 'GALILEO ORBITER',
      INSTRUMENT_ID: 'SSI',
      INSTRUMENT_NAME: 'SOLID STATE IMAGING SYSTEM',
      LINES: '800',
      LINE_SAMPLES: '800',
    },
    make: (number, random) => {
      const orbit = random.whole(1, 30);
      const target = random.pick(MOONS);
      return {
        IMAGE_ID: `${pad(orbit, 2)}${target[0]}${pad(number, 4)}`,
        TARGET_NAME: target,
        ORBIT_NUMBER: String(orbit),
        FILTER_NAME: random.pick(FILTERS),
        EXPOSURE_DURATION: random.pick(EXPOSURES),
        START_TIME: time(random, '1996-06-23', '2001-12-31'),
        ...place(random, 20),
      };
    },
  },
  {
    id: NIMS,
    share: 10,
    format: 'application/x-nims-cube',
    fixed: {
      MISSION_NAME: 'GALILEO',
      INSTRUMENT_HOST_NAME: 'GALILEO ORBITER',
      INSTRUMENT_ID: 'NIMS',
      INSTRUMENT_NAME: 'NEAR INFRARED MAPPING SPECTROMETER',
    },
    make: (number, random) => ({
      IMAGE_ID: `NIMS${pad(number, 6)}`,
      TARGET_NAME: random.pick(MOONS),
      ORBIT_NUMBER: String(random.whole(1, 30)),
      WAVELENGTHS: random.pick(['17', '102', '228', '408']),
      START_TIME: time(random, '1996-06-23', '2001-12-31'),
      ...place(random, 30),
    }),
  },
  {
    id: MAGELLAN,
    share: 20,
    format: 'image/pds',
    fixed: {
      MISSION_NAME: 'MAGELLAN',
      INSTRUMENT_HOST_NAME: 'MAGELLAN',
      INSTRUMENT_ID: 'SAR',
      INSTRUMENT_NAME: 'SYNTHETIC APERTURE RADAR',
      TARGET_NAME: 'VENUS',
      LINES: '8192',
      LINE_SAMPLES: '7168',
    },
    make: (number, random) => {
      const where = place(random, 6);
      const latitude = Number(where.CENTER_LATITUDE);
      const degrees = pad(Math.abs(Math.trunc(latitude)), 2);
      return {
        // The first letters say how the mosaic was made; the number keeps names apart.
        IMAGE_ID: `F${random.pick(['L', 'R', 'S', 'T'])}${degrees}${latitude < 0 ? 'S' : 'N'}${pad(number, 3)}`,
        ORBIT_NUMBER: String(random.whole(376, 5790)),
        START_TIME: time(random, '1990-09-15', '1992-09-14'),
        ...where,
      };
    },
  },
  {
    id: THEMIS,
    share: 30,
    format: 'image/pds',
    fixed: {
      MISSION_NAME: '2001 MARS ODYSSEY',
      INSTRUMENT_HOST_NAME: '2001 MARS ODYSSEY',
      INSTRUMENT_ID: 'THEMIS',
      INSTRUMENT_NAME: 'THERMAL EMISSION IMAGING SYSTEM',
      TARGET_NAME: 'MARS',
      LINE_SAMPLES: '320',
    },
    make: (number, random) => {
      const orbit = random.whole(816, 40_000);
      return {
        IMAGE_ID: `I${pad(orbit, 5)}${pad(number, 4)}`,
        ORBIT_NUMBER: String(orbit),
        BAND_NUMBER: String(random.whole(1, 10)),
        LINES: String(random.whole(240, 14_400)),
        LOCAL_TIME: random.decimal(2, 18, 2),
        START_TIME: time(random, '2002-02-19', '2009-12-31'),
        ...place(random, 3),
      };
    },
  },
];

/** Products with names that are known beforehand, as the first of their data sets. */
const KNOWN: Readonly<Record<string, readonly Values[]>> = {
  [SSI]: [
    {
      IMAGE_ID: '10I0012',
      TARGET_NAME: 'IO',
      ORBIT_NUMBER: '10',
      FILTER_NAME: 'GREEN',
      EXPOSURE_DURATION: '45.83',
    },
    {
      IMAGE_ID: '24I0131',
      TARGET_NAME: 'IO',
      ORBIT_NUMBER: '24',
      FILTER_NAME: 'RED',
      EXPOSURE_DURATION: '62.50',
    },
  ],
  [MAGELLAN]: [{ IMAGE_ID: 'FO43S181' }],
  [THEMIS]: [{ IMAGE_ID: 'I008160001', CENTER_LONGITUDE: '359.30' }],
};

const NUMBERS =
  /^(?:ORBIT_NUMBER|EXPOSURE_DURATION|LINES|LINE_SAMPLES|WAVELENGTHS|BAND_NUMBER|LOCAL_TIME|.*L(?:AT|ONG)ITUDE)$/;
const UNITS: Readonly<Record<string, string>> = { EXPOSURE_DURATION: 'ms', LOCAL_TIME: 'h' };

function elementOf(name: string, value: string): ProfileElement {
  const type = name === 'START_TIME' ? 'TIME' : NUMBERS.test(name) ? 'REAL' : 'CHARACTER';
  const unit = UNITS[name] ?? (/L(?:AT|ONG)ITUDE$/.test(name) ? 'deg' : undefined);
  return {
    elemName: [name],
    elemType: [type],
    ...(unit && { elemUnit: [unit] }),
    elemEnumFlag: ['T'],
    elemValue: [value],
  };
}

/** Any number of them, one by one. */
export function* makePlanetaryProducts(options: PlanetaryOptions = {}): Generator<Profile> {
  const {
    products = 3000,
    seed = 2005,
    oidRoot = '1.3.6.1.4.1.99999.2',
    baseUrl = 'https://planets.example.org',
  } = options;
  const random = createRandom(seed);
  const counts = new Map<string, number>();
  for (let i = 0; i < products; i++) {
    const set = chooseSet(i);
    const number = counts.get(set.id) ?? 0;
    counts.set(set.id, number + 1);
    const values = { ...set.fixed, ...set.make(number, random), ...KNOWN[set.id]?.[number] };
    yield productOf(set, values, `${oidRoot}.${i + 1}`, baseUrl);
  }
}

/** The shares hold of every hundred in a row, so that small archives have all data sets. */
function chooseSet(i: number): DataSet {
  let left = (i * 37) % 100;
  for (const set of DATA_SETS) {
    if (left < set.share) return set;
    left -= set.share;
  }
  return DATA_SETS[0]!;
}

function productOf({ id, format }: DataSet, values: Values, profId: string, baseUrl: string): Profile {
  const identifier = `${id}:${values.IMAGE_ID}`;
  return {
    prof: { profId: [profId], profType: ['profile'], profStatusId: ['active'] },
    res: {
      Identifier: [identifier],
      Title: [identifier],
      Format: [format],
      resContext: ['PLANETS'],
      resAggregation: ['granule'],
      resClass: ['data.product'],
      resLocation: [`${baseUrl}/products/${encodeURIComponent(identifier)}`],
    },
    elements: Object.entries({ DATA_SET_ID: id, ...values }).map(([name, value]) => elementOf(name, value)),
  };
}
