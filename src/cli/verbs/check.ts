import { existsSync } from 'node:fs';
import { openVocabulary } from '../../app/vocabulary.ts';
import type { Config, SourceConfig } from '../../core/config.ts';
import { GarnerError } from '../../core/errors.ts';
import { sourcePolicy } from '../../harvest/http/source-policy.ts';
import { type ProbeAnswer, probeSource } from '../../harvest/probe-source.ts';
import { mapHosts } from '../../net/host-map.ts';
import { openForVerb } from '../open.ts';
import { formatCount, formatTable } from '../terminal.ts';
import type { Verb } from '../verb.ts';

export const checkVerb: Verb = {
  name: 'check',
  summary: 'check the config and tell what there is: sources, views, formats',
  usage: 'check [SOURCE…] [--probe]',
  options: {
    probe: {
      type: 'boolean',
      help: 'ask the origins of all remote sources what they are; named ones are asked anyway',
    },
  },
  examples: ['garner check', 'garner check pangaea', 'garner check --config /etc/garner.yaml'],
  async run({ positionals, values, terminal }) {
    await using garner = await openForVerb(values, terminal);
    const { config, formats, store } = garner;
    // Its files are read only where they are needed; here their mistakes are told.
    await openVocabulary(config);
    const known = await store.items.listSources();
    const names = [...new Set([...Object.keys(config.sources), ...known.map(({ name }) => name)])];
    const unknown = positionals.find((name) => !names.includes(name));
    if (unknown !== undefined)
      throw new GarnerError(
        'source.unknown',
        `there is no source "${unknown}"; there are ${names.join(', ')}`,
      );
    const sources = await Promise.all(
      names.map(async (name) => {
        const source = config.sources[name];
        const missing = source && 'path' in source ? source.path.filter((path) => !existsSync(path)) : [];
        const state = known.find((row) => row.name === name);
        const wanted = values.probe === true || positionals.includes(name);
        const answer = wanted ? await probe(source, config) : undefined;
        return {
          name,
          kind: source?.kind ?? 'not in the config',
          items: state?.liveItems ?? 0,
          missing,
          ...(answer && { probe: answer }),
        };
      }),
    );
    terminal.answer({
      config: config.file ?? null,
      data: config.data,
      baseUrl: config.repository.baseUrl,
      sources,
      views: Object.keys(config.views),
      formats: formats.list().map(({ name }) => name),
    });
    terminal.say(
      config.file ? `${config.file} is right` : 'no config file; defaults are used (garner init writes one)',
    );
    terminal.say(`data folder ${config.data}`);
    const rows = sources.map(({ name, kind, items, missing }) => [
      `  ${name}`,
      kind,
      `${formatCount(items)} items`,
      missing.length > 0 ? `MISSING: ${missing.join(', ')}` : '',
    ]);
    terminal.say(sources.length > 0 ? 'sources:' : 'no sources yet: garner import PATH --source NAME');
    for (const line of formatTable(rows)) terminal.say(line);
    for (const { name, probe } of sources) {
      for (const line of probe?.said ?? []) terminal.say(`  ${name}: ${line}`);
      for (const line of probe?.mistakes ?? []) terminal.say(`  ${name}: WRONG: ${line}`);
    }
    if (Object.keys(config.views).length > 0) terminal.say(`views: ${Object.keys(config.views).join(', ')}`);
    terminal.say(
      `formats: ${formats
        .list()
        .map(({ name }) => name)
        .join(', ')}`,
    );
    return sources.some(({ missing, probe }) => missing.length + (probe?.mistakes.length ?? 0) > 0) ? 1 : 0;
  },
};

async function probe(
  source: SourceConfig | undefined,
  { repository, net }: Config,
): Promise<ProbeAnswer | undefined> {
  if (!source || !('attempts' in source)) return undefined;
  // Whoever checks waits in front of the terminal: one try will do.
  return probeSource(source, { ...sourcePolicy(source, repository), ...mapHosts(net.hosts), attempts: 1 });
}
