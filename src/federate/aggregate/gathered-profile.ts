/**
 * An aggregate as a profile, and back. Lists and ranges are written as profiles write them; what profiles
 * cannot say (a filter, numbers beside texts) stands as a summary in the comment, and the element itself
 * leaves its values open, so that servers that do not know of summaries never leave a product out.
 */
import { attributeKey } from '../../core/attributes.ts';
import { isDomainKey, type Profile, type ProfileElement } from '../../formats/oodt-profile/profile.ts';
import { listAttributes } from '../../formats/oodt-profile/profile-attributes.ts';
import type { ItemAttribute } from '../profile/item-attributes.ts';
import { Aggregate } from './aggregate.ts';
import type { AttributeSummary } from './summary.ts';
import { summaryFromJson, summaryToJson } from './summary-json.ts';

const SUMMARY = 'garner-summary:';
/** An attribute that every product has; believed only of those who write the comment, too. */
const REQUIRED = 'Required';
const EVERYWHERE = 'garner: every product has it';
const GATHERED_CLASS = /^system\.profileserver/i;

/** What describes the domain comes before what describes profiles and resources. */
export function aggregateElements(aggregate: Aggregate): ProfileElement[] {
  return [...aggregate.attributes]
    .sort(([a], [b]) => Number(isDomainKey(b)) - Number(isDomainKey(a)) || (a < b ? -1 : 1))
    .map(([key, summary]) => ({
      elemName: [key.toUpperCase()],
      ...(aggregate.isEverywhere(summary) && { elemObligation: [REQUIRED], elemComment: [EVERYWHERE] }),
      ...elementContent(summary),
    }));
}

function elementContent(summary: AttributeSummary): ProfileElement {
  const { numbers, dates, texts, filter, any, words, unlisted } = summary;
  const kinds = [texts && texts.size > 0, filter, numbers, dates].filter(Boolean).length;
  if (!any && !words && !unlisted && kinds === 1) {
    if (numbers)
      return {
        elemType: ['REAL'],
        elemEnumFlag: ['F'],
        elemMinValue: [String(numbers.min)],
        elemMaxValue: [String(numbers.max)],
      };
    if (dates)
      return {
        elemType: ['TIME'],
        elemEnumFlag: ['F'],
        elemMinValue: [dates.first],
        elemMaxValue: [dates.last],
      };
    if (texts) return { elemType: ['CHARACTER'], elemEnumFlag: ['T'], elemValue: [...texts.values()].sort() };
  }
  return { elemEnumFlag: ['F'], elemComment: [SUMMARY + JSON.stringify(summaryToJson(summary))] };
}

export function isGathered({ res }: Profile): boolean {
  return GATHERED_CLASS.test(res.resClass?.[0] ?? '');
}

/**
 * What a profile tells of the products that it stands for: of itself, or, when it is that of a server, of
 * everything below, of which only its elements tell.
 */
export function readAggregate(profile: Profile): Aggregate {
  const gathered = isGathered(profile);
  const aggregate = new Aggregate(Number.POSITIVE_INFINITY);
  const attributes = new Map<string, ItemAttribute>();
  for (const attribute of listAttributes(gathered ? { ...profile, prof: {}, res: {} } : profile)) {
    const key = attributeKey(attribute.name);
    const known = attributes.get(key);
    attributes.set(key, known ? { ...known, values: [...known.values, ...attribute.values] } : attribute);
  }
  aggregate.add(attributes);
  if (!gathered) return aggregate;
  // Every product is a profile; which kinds of profile there are, only an element would tell.
  if (!profile.elements.some(({ elemName }) => attributeKey(elemName?.[0] ?? '') === 'proftype'))
    aggregate.attributes.delete('proftype');
  aggregate.products = 2;
  for (const element of profile.elements) refine(aggregate, element);
  return aggregate;
}

function refine({ attributes, products }: Aggregate, element: ProfileElement): void {
  const comment = element.elemComment?.[0];
  const summary = comment?.startsWith(SUMMARY) ? parseSummary(comment.slice(SUMMARY.length)) : undefined;
  const required =
    element.elemObligation?.[0] === REQUIRED && (summary !== undefined || comment === EVERYWHERE);
  for (const name of [...(element.elemName ?? []), ...(element.elemSynonym ?? [])]) {
    const key = attributeKey(name);
    if (summary) attributes.set(key, summary);
    const known = attributes.get(key);
    if (!known) continue;
    known.present = required ? products : 1;
    // An open element of a server stands for values that may or may not match.
    if (!summary && known.any) {
      known.any = false;
      known.unlisted = true;
    }
  }
}

function parseSummary(text: string): AttributeSummary | undefined {
  try {
    return summaryFromJson(JSON.parse(text));
  } catch {
    // Somebody else's comment: without a summary the element is open.
    return undefined;
  }
}
