import { recordTopic } from '../../app/topic-records.ts';
import type { Garner } from '../../app.ts';
import { GarnerError } from '../../core/errors.ts';
import { writeCsvRow } from '../../core/write-csv.ts';
import { findTopicsOfRecords, openTopicRuns } from '../../discover/index.ts';
import { openForVerb } from '../open.ts';
import { formatCount, formatTable, type Terminal } from '../terminal.ts';
import { actOnTopic, TOPIC_ACTIONS } from '../topic-marks.ts';
import { type ExitCode, textOption, type Verb } from '../verb.ts';

export const topicsVerb: Verb = {
  name: 'topics',
  summary: 'the topics of the config, marks of their candidates, or topics out of harvested records',
  usage:
    'topics [mark ACRONYM URL… good|bad|none | marks ACRONYM | why ACRONYM URL | record [ACRONYM…] | SOURCE --acronym XPATH --title XPATH]',
  options: {
    acronym: {
      type: 'string',
      value: 'XPATH',
      help: 'where records have the acronym, with the prefixes of their format',
    },
    title: { type: 'string', value: 'XPATH', help: 'where they have the title' },
  },
  examples: [
    'garner topics',
    'garner topics mark ISCCP https://isccp.giss.nasa.gov/ good',
    'garner topics why ISCCP https://isccp.giss.nasa.gov/',
    'garner topics record ISCCP',
    'garner topics asdc --acronym //dif:Project/dif:Short_Name --title //dif:Project/dif:Long_Name > topics.csv',
  ],
  async run({ positionals, values, terminal }) {
    const [source, ...rest] = positionals;
    await using garner = await openForVerb(values, terminal, source === 'record' ? { threads: true } : {});
    if (source === 'record') return await recordTopics(garner, rest, terminal);
    const fromRecords = values.acronym !== undefined || values.title !== undefined;
    const action = TOPIC_ACTIONS.find((name) => name === source);
    if (action && !fromRecords) return actOnTopic(action, rest, garner, terminal);
    if (source === undefined) {
      const runs = openTopicRuns(garner.config.data);
      const topics = [...garner.topics.values()].map((topic) => ({
        ...topic,
        lists: runs.list(topic.acronym).length,
      }));
      terminal.answer({ topics });
      for (const line of formatTable(
        topics.map(({ acronym, title, lists }) => [acronym, title, `${formatCount(lists)} lists`]),
      ))
        terminal.say(line);
      return 0;
    }
    const acronym = textOption(values, 'acronym');
    const title = textOption(values, 'title');
    if (acronym === undefined || title === undefined)
      throw new GarnerError('usage.invalid', 'say where records have both: --acronym XPATH --title XPATH');
    if (!(await garner.store.items.listSources()).some(({ name }) => name === source))
      throw new GarnerError('source.unknown', `there is no source "${source}"`);
    const { topics, unusable } = await findTopicsOfRecords(
      garner.store.items,
      source,
      { acronym, title },
      (format) => {
        const known = garner.formats.find(format);
        return known?.syntax === 'xml' ? known.namespaces : undefined;
      },
    );
    terminal.answer({ topics, unusable: Object.fromEntries(unusable) });
    if (!terminal.json)
      terminal.bytes(
        Buffer.from(
          [['acronym', 'title'], ...topics.map((topic) => [topic.acronym, topic.title])]
            .map(writeCsvRow)
            .join(''),
        ),
      );
    for (const [name, count] of unusable)
      terminal.warn(`left out, since it is no name for a set: ${name} (${formatCount(count)} records)`);
    return unusable.size > 0 ? 3 : 0;
  },
};

/** The topics' own records, in DIF; all of them, or those named. */
async function recordTopics(
  garner: Garner,
  acronyms: readonly string[],
  terminal: Terminal,
): Promise<ExitCode> {
  for (const acronym of acronyms.length > 0 ? acronyms : garner.topics.keys()) {
    const topic = garner.topics.get(acronym);
    if (!topic) throw new GarnerError('usage.invalid', `there is no topic ${acronym}`);
    const changed = await recordTopic(garner, topic);
    terminal.answer({ source: acronym, identifier: acronym, changed });
    terminal.say(`${acronym}: ${changed ? 'has a new version' : 'is as it was'}`);
  }
  return 0;
}
