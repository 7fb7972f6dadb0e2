/** Topics out of harvested records: acronym and title by XPath, each acronym once, the most frequent title of it. */
import { isName } from '../../core/identifiers.ts';
import type { ItemStore } from '../../store/index.ts';
import { type CompiledPath, compilePath, parseXml } from '../../xml/engine.ts';

export interface TopicPaths {
  readonly acronym: string;
  readonly title: string;
}

export interface FoundTopic {
  readonly acronym: string;
  readonly title: string;
  /** How many records name it. */
  readonly records: number;
}

export interface FoundTopics {
  /** By acronym. */
  readonly topics: readonly FoundTopic[];
  /** Acronyms that are no names, with their records. */
  readonly unusable: ReadonlyMap<string, number>;
}

const PAGE = 500;

/** `namespacesOf` gives the prefixes of a format; undefined: the format is no XML. */
export async function findTopicsOfRecords(
  items: Pick<ItemStore, 'listRaw'>,
  source: string,
  paths: TopicPaths,
  namespacesOf: (format: string) => Readonly<Record<string, string>> | undefined,
): Promise<FoundTopics> {
  const titles = new Map<string, Map<string, number>>();
  const unusable = new Map<string, number>();
  const compiled = new Map<string, { acronym: CompiledPath; title: CompiledPath } | undefined>();
  const compileFor = (format: string) => {
    if (!compiled.has(format)) {
      const namespaces = namespacesOf(format);
      compiled.set(
        format,
        namespaces && {
          acronym: compilePath(paths.acronym, namespaces),
          title: compilePath(paths.title, namespaces),
        },
      );
    }
    return compiled.get(format);
  };

  for (let after = 0; ; ) {
    const records = await items.listRaw(source, after, PAGE);
    for (const { bytes, format, recordKey } of records) {
      after = recordKey;
      const path = compileFor(format);
      if (!path) continue;
      using document = parseXml(bytes);
      const found = document.evaluate(path.title);
      for (const [i, text] of document.evaluate(path.acronym).entries()) {
        const acronym = text.trim();
        // Where both are repeated, they stand side by side.
        const title = (found[i] ?? found[0] ?? '').replace(/\s+/g, ' ').trim();
        if (acronym === '' || title === '') continue;
        if (!isName(acronym)) unusable.set(acronym, (unusable.get(acronym) ?? 0) + 1);
        else {
          const counts = titles.get(acronym) ?? new Map<string, number>();
          titles.set(acronym, counts.set(title, (counts.get(title) ?? 0) + 1));
        }
      }
    }
    if (records.length < PAGE) break;
  }
  return {
    topics: [...titles].map(([acronym, counts]) => chooseTitle(acronym, counts)).sort(byAcronym),
    unusable,
  };
}

const byAcronym = (a: FoundTopic, b: FoundTopic): number => (a.acronym < b.acronym ? -1 : 1);

function chooseTitle(acronym: string, counts: ReadonlyMap<string, number>): FoundTopic {
  const [best] = [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  return {
    acronym,
    title: best?.[0] ?? '',
    records: [...counts.values()].reduce((sum, count) => sum + count, 0),
  };
}
