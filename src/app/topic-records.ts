/** A topic's own record: a DIF that we write, so that OAI-PMH has it, and Dublin Core of it. */
import { createSourceIngest, type Garner } from '../app.ts';
import { GarnerError } from '../core/errors.ts';
import type { Topic } from '../discover/index.ts';
import { writeDif9 } from '../formats/dif-write.ts';
import { dif9 } from '../formats/dif9.ts';
import { withRun } from '../harvest/with-run.ts';

/** The same as long as the config is: nothing in it tells of a moment. */
function topicDif({ config }: Pick<Garner, 'config'>, topic: Topic): string {
  const { name, baseUrl, adminEmail } = config.repository;
  const { acronym, title, queries } = topic;
  return writeDif9({
    entryId: acronym,
    title,
    summary: `${title} (${acronym}): web pages and documents about it, found by search engines and libraries with ${queries.map((query) => `"${query}"`).join(', ')}, ranked, and archived as snapshots.`,
    keywords: [acronym, title],
    projects: [{ shortName: acronym, longName: title }],
    dataCenter: { name, url: `${baseUrl}/`, contact: adminEmail },
    urls: [{ url: `${baseUrl}/topics/${acronym}`, description: 'The topic and its snapshots' }],
  });
}

/** Whether it is new or other than before. */
export async function recordTopic(garner: Garner, topic: Topic): Promise<boolean> {
  const { store } = garner;
  const { acronym } = topic;
  const ingest = createSourceIngest(garner, acronym);
  try {
    const { records, problems } = await ingest.extract([
      {
        bytes: Buffer.from(topicDif(garner, topic)),
        syntax: 'xml',
        format: dif9.name,
        where: `topic ${acronym}`,
        line: 1,
        identifier: acronym,
        fallbackIdentifier: acronym,
      },
    ]);
    const [problem] = problems;
    if (records.length === 0)
      throw new GarnerError('internal.bug', `the record of ${acronym} is none: ${problem?.message ?? ''}`);
    const event = { type: 'recataloguing', driver: 'repository', reason: 'the topic as it is configured' };
    const result = await withRun(store.runs, acronym, 'describe', (runId) =>
      store.items.commit({
        source: acronym,
        runId,
        records: records.map((record) => ({ ...record, sets: [acronym], origin: { event } })),
      }),
    );
    return result.added + result.updated > 0;
  } finally {
    await ingest.close();
  }
}
