/** A form from profiles at hand: for servers that only know how to list them. */
import { attributeKey } from '../../core/attributes.ts';
import { isDomainKey, type Profile } from '../../formats/oodt-profile/profile.ts';
import { listAttributes } from '../../formats/oodt-profile/profile-attributes.ts';
import { foldValue } from '../../query/words.ts';
import { byUse, type GuidedAttribute, type GuidedForm, regroup, sortCounts, stepWidth } from './form.ts';

interface Gathered {
  present: number;
  readonly texts: Map<string, { value: string; count: number }>;
  readonly numbers: number[];
  readonly dates: string[];
}

export function profilesForm(profiles: readonly Profile[]): GuidedForm {
  const gathered = new Map<string, Gathered>();
  for (const profile of profiles)
    for (const { name, values } of listAttributes(profile)) {
      const key = attributeKey(name);
      if (!isDomainKey(key)) continue;
      const entry: Gathered = gathered.get(key) ?? { present: 0, texts: new Map(), numbers: [], dates: [] };
      gathered.set(key, entry);
      entry.present++;
      for (const value of values) {
        if (value.kind === 'number') entry.numbers.push(value.number);
        else if (value.kind === 'date') entry.dates.push(value.date);
        else {
          const folded = foldValue(value.text);
          const known = entry.texts.get(folded) ?? { value: value.text, count: 0 };
          entry.texts.set(folded, { ...known, count: known.count + 1 });
        }
      }
    }
  return {
    total: profiles.length,
    attributes: [...gathered].map(([key, entry]) => attributeOf(key, entry)).sort(byUse),
  };
}

function attributeOf(key: string, { present, texts, numbers, dates }: Gathered): GuidedAttribute {
  const min = Math.min(...numbers);
  const max = Math.max(...numbers);
  const width = stepWidth(min, max);
  const years = new Map<string, number>();
  for (const date of dates) years.set(date.slice(0, 4), (years.get(date.slice(0, 4)) ?? 0) + 1);
  const ordered = dates.toSorted();
  return {
    name: key.toUpperCase(),
    present,
    values: sortCounts([...texts.values()]),
    moreValues: false,
    ...(numbers.length > 0 && {
      numbers: {
        min,
        max,
        width,
        steps: regroup(
          numbers.map((from) => ({ from, count: 1 })),
          width,
        ),
      },
    }),
    ...(dates.length > 0 && {
      dates: {
        first: ordered[0] ?? '',
        last: ordered.at(-1) ?? '',
        years: sortCounts([...years].map(([value, count]) => ({ value, count }))),
      },
    }),
  };
}
