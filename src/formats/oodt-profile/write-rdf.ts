/** Profiles as Turtle and as JSON-LD: the same statements. */
import {
  ELEMENT_PARTS,
  listSection,
  type Occurs,
  PROF_ATTRIBUTES,
  type Profile,
  plainElement,
  RES_ATTRIBUTES,
} from './profile.ts';
import {
  DC_NAMESPACE,
  DESCRIBES,
  HAS_ELEMENT,
  ORDER,
  PROFILE_NAMESPACE,
  rdfAddress,
  rdfName,
} from './rdf-names.ts';

export const TURTLE_PREFIXES = `@prefix prof: <${PROFILE_NAMESPACE}> .\n@prefix dc: <${DC_NAMESPACE}> .\n`;

/** The statements of one profile; the prefixes come before the first. */
export function turtleProfile({ prof, res, elements }: Profile): string {
  const address = rdfAddress(prof.profId?.[0]);
  const nodes = [
    `a prof:Profile`,
    ...statements(PROF_ATTRIBUTES, prof),
    `prof:${DESCRIBES} [\n    ${['a prof:Resource', ...statements(RES_ATTRIBUTES, res)].join(' ;\n    ')}\n  ]`,
    ...elements.map((element, index) => {
      const inner = [
        'a prof:Element',
        `prof:${ORDER} ${index}`,
        ...statements(ELEMENT_PARTS, plainElement(element)),
      ];
      return `prof:${HAS_ELEMENT} [\n    ${inner.join(' ;\n    ')}\n  ]`;
    }),
  ];
  return `\n${address === undefined ? '[]' : `<${address}>`} ${nodes.join(' ;\n  ')} .\n`;
}

function statements<Name extends string>(
  table: Readonly<Record<Name, Occurs>>,
  section: Readonly<Partial<Record<Name, readonly string[]>>>,
): string[] {
  return [...listSection(table, section)].map(([name, , values]) => {
    const { prefix, local } = rdfName(name);
    return `${prefix}:${local} ${values.map(turtleText).join(', ')}`;
  });
}

const TURTLE_ESCAPES: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\b': '\\b',
  '\f': '\\f',
};

function turtleText(text: string): string {
  const escaped = text
    .toWellFormed()
    .replace(/["\\\n\r\t\x00-\x1f]/g, (char) => TURTLE_ESCAPES[char] ?? unicodeEscape(char));
  return `"${escaped}"`;
}

const unicodeEscape = (char: string) =>
  `\\u${char.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()}`;

export const JSON_LD_CONTEXT = { prof: PROFILE_NAMESPACE, dc: DC_NAMESPACE } as const;

/** One node of the graph, in terms of the context. */
export function jsonLdProfile({ prof, res, elements }: Profile): Readonly<Record<string, unknown>> {
  const address = rdfAddress(prof.profId?.[0]);
  return {
    ...(address !== undefined && { '@id': address }),
    '@type': 'prof:Profile',
    ...members(PROF_ATTRIBUTES, prof),
    [`prof:${DESCRIBES}`]: { '@type': 'prof:Resource', ...members(RES_ATTRIBUTES, res) },
    [`prof:${HAS_ELEMENT}`]: elements.map((element, index) => ({
      '@type': 'prof:Element',
      [`prof:${ORDER}`]: index,
      ...members(ELEMENT_PARTS, plainElement(element)),
    })),
  };
}

function members<Name extends string>(
  table: Readonly<Record<Name, Occurs>>,
  section: Readonly<Partial<Record<Name, readonly string[]>>>,
): Record<string, readonly string[]> {
  return Object.fromEntries(
    [...listSection(table, section)].map(([name, , values]) => {
      const { prefix, local } = rdfName(name);
      return [`${prefix}:${local}`, values];
    }),
  );
}
