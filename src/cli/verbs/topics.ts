import { GarnerError } from '../../core/errors.ts';
import { writeCsvRow } from '../../core/write-csv.ts';
import { findTopicsOfRecords, openTopicRuns } from '../../discover/index.ts';
import { openForVerb } from '../open.ts';
import { formatCount, formatTable } from '../terminal.ts';
import { actOnTopic, TOPIC_ACTIONS } from '../topic-marks.ts';
import { textOption, type Verb } from '../verb.ts';

export const topicsVerb: Verb = {
  name: 'topics',
  summary: 'the topics of the config, marks of their candidates, or topics out of harvested records',
  usage:
    'topics [mark ACRONYM URL… good|bad|none | marks ACRONYM | why ACRONYM URL | SOURCE --acronym XPATH --title XPATH]',
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
    'garner topics asdc --acronym //dif:Project/dif:Short_Name --title //dif:Project/dif:Long_Name > topics.csv',
  ],
  async run({ positionals, values, terminal }) {
    await using garner = await openForVerb(values, terminal);
    const [source, ...rest] = positionals;
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
