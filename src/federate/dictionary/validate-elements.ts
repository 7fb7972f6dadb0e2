/** Do named values keep to the dictionary? Profiles and records are checked alike. */
import { nearestNames } from '../../core/nearest.ts';
import { shorten } from '../../core/shorten.ts';
import { foldValue } from '../../query/words.ts';
import type { DataElement } from './data-element.ts';
import { compareValues, isAtMost, isOfDatatype } from './datatype.ts';
import { type ElementIndex, isOutOfUse } from './element-index.ts';
import { fitsLayout } from './layout.ts';

export interface NamedValues {
  readonly name: string;
  readonly values: readonly string[];
  /** As the profile says it; absent: that of the dictionary is meant. */
  readonly unit?: string;
  /** The values are not as they were written (`62.5` for `62.50`): layout and size say nothing of them. */
  readonly normalised?: boolean;
}

/** What is found; `element` is the name as it was given. */
export type ElementFinding = { readonly element: string } & (
  | { readonly kind: 'unknown'; readonly nearest: readonly string[] }
  | { readonly kind: 'synonym'; readonly name: string }
  | { readonly kind: 'out-of-use'; readonly status: DataElement['registrationStatus'] }
  | { readonly kind: 'unit'; readonly unit: string; readonly expected: string }
  | { readonly kind: 'datatype'; readonly value: string; readonly expected: string }
  | { readonly kind: 'too-short' | 'too-long'; readonly value: string; readonly limit: number }
  | { readonly kind: 'layout'; readonly value: string; readonly expected: string }
  | { readonly kind: 'too-small' | 'too-large'; readonly value: string; readonly limit: string }
  | { readonly kind: 'not-permitted'; readonly value: string; readonly nearest: readonly string[] }
);
export type FindingKind = ElementFinding['kind'];

/** These are worth knowing, but the values are right. */
const NOTES: ReadonlySet<FindingKind> = new Set(['synonym', 'out-of-use']);

export const isNote = ({ kind }: ElementFinding): boolean => NOTES.has(kind);

export interface ValidationOptions {
  /** Only this dictionary counts; absent: where several define a name, values that fit one of them are right. */
  readonly dictionary?: string;
}

export function validateElements(
  index: ElementIndex,
  elements: readonly NamedValues[],
  { dictionary }: ValidationOptions = {},
): ElementFinding[] {
  return elements.flatMap((given): ElementFinding[] => {
    const { name } = given;
    const found = index
      .lookUp(name)
      .filter(({ entry }) => dictionary === undefined || entry.dictionary === dictionary);
    // A synonym does not compete with an element that has the name itself.
    const chosen = found.some(({ bySynonym }) => !bySynonym)
      ? found.filter(({ bySynonym }) => !bySynonym)
      : found;
    const judged = chosen.map(({ entry, bySynonym }) => [
      ...(bySynonym ? [{ element: name, kind: 'synonym' as const, name: entry.current.name }] : []),
      ...judge(entry.current, given),
    ]);
    const [first, ...others] = judged;
    if (!first) return [{ element: name, kind: 'unknown', nearest: index.nearest(name) }];
    const mistakes = (findings: readonly ElementFinding[]) =>
      findings.filter((finding) => !isNote(finding)).length;
    return others.reduce((best, other) => (mistakes(other) < mistakes(best) ? other : best), first);
  });
}

function judge(
  current: DataElement,
  { name: element, values, unit, normalised }: NamedValues,
): ElementFinding[] {
  return [
    ...(isOutOfUse(current)
      ? [{ element, kind: 'out-of-use' as const, status: current.registrationStatus }]
      : []),
    ...(unit !== undefined && current.unit !== undefined && foldValue(unit) !== foldValue(current.unit)
      ? [{ element, kind: 'unit' as const, unit, expected: current.unit }]
      : []),
    ...values.flatMap((value) =>
      isOfDatatype(current.datatype, value)
        ? [
            ...(normalised === true ? [] : judgeWriting(current, element, value)),
            ...judgeMeaning(current, element, value),
          ]
        : [{ element, kind: 'datatype' as const, value, expected: current.datatype ?? '' }],
    ),
  ];
}

function judgeWriting(current: DataElement, element: string, value: string): ElementFinding[] {
  const { minimumSize, maximumSize, layout } = current;
  const findings: ElementFinding[] = [];
  const length = [...value].length;
  if (minimumSize !== undefined && length < minimumSize)
    findings.push({ element, kind: 'too-short', value, limit: minimumSize });
  if (maximumSize !== undefined && length > maximumSize)
    findings.push({ element, kind: 'too-long', value, limit: maximumSize });
  if (layout !== undefined && !fitsLayout(layout, value))
    findings.push({ element, kind: 'layout', value, expected: layout });
  return findings;
}

function judgeMeaning(current: DataElement, element: string, value: string): ElementFinding[] {
  const { datatype, minimum, maximum, permissibleValues } = current;
  const findings: ElementFinding[] = [];
  if (minimum !== undefined && compareValues(datatype, value, minimum) < 0)
    findings.push({ element, kind: 'too-small', value, limit: minimum });
  if (maximum !== undefined && !isAtMost(datatype, value, maximum))
    findings.push({ element, kind: 'too-large', value, limit: maximum });
  if (permissibleValues.length > 0) {
    const permitted = permissibleValues.map((permissible) => permissible.value);
    const isSame = (other: string) =>
      foldValue(other) === foldValue(value) ||
      (datatype !== undefined && compareValues(datatype, other, value) === 0);
    if (!permitted.some(isSame))
      findings.push({ element, kind: 'not-permitted', value, nearest: nearestNames(value, permitted) });
  }
  return findings;
}

export function describeFinding(finding: ElementFinding): string {
  const { element } = finding;
  switch (finding.kind) {
    case 'unknown':
      return `${element}: no dictionary has it${hint(finding.nearest)}`;
    case 'synonym':
      return `${element}: is a synonym of ${finding.name}`;
    case 'out-of-use':
      return `${element}: is ${finding.status}`;
    case 'unit':
      return `${element}: the unit is ${finding.unit}, but the dictionary has ${finding.expected}`;
    case 'datatype':
      return `${element}: "${shown(finding.value)}" is not of the datatype ${finding.expected}`;
    case 'too-short':
      return `${element}: "${shown(finding.value)}" has fewer than ${finding.limit} characters`;
    case 'too-long':
      return `${element}: "${shown(finding.value)}" has more than ${finding.limit} characters`;
    case 'layout':
      return `${element}: "${shown(finding.value)}" has not the layout ${finding.expected}`;
    case 'too-small':
      return `${element}: ${shown(finding.value)} is less than ${finding.limit}`;
    case 'too-large':
      return `${element}: ${shown(finding.value)} is more than ${finding.limit}`;
    case 'not-permitted':
      return `${element}: "${shown(finding.value)}" is no permissible value${hint(finding.nearest)}`;
  }
}

const hint = (nearest: readonly string[]): string =>
  nearest.length === 0 ? '' : `; did you mean ${nearest.join(' or ')}?`;

const SHOWN = 60;
const shown = (value: string): string => shorten(value, SHOWN);
