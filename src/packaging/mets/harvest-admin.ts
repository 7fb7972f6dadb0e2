/** The harvest itself: crawler and job, its archive files, what may be done with it, what the repository did to it. */
import type { MetsAdmin, MetsMetadata } from '../../formats/mets/mets-document.ts';
import {
  PREMIS,
  writePremisAgent,
  writePremisEvent,
  writePremisObject,
  writePremisRights,
} from '../../formats/premis-write.ts';
import type { SiteFacts } from '../site-model/model-types.ts';
import type { PackageContext } from './package-context.ts';

const HARVEST = 'urn:garner:harvest';

export const harvestAdminId = ({ ids }: PackageContext): string => ids.of('admin', HARVEST);

export function harvestAdmin(facts: SiteFacts, context: PackageContext): MetsAdmin {
  const { ids, publisher, item, events, isPublic } = context;
  const crawlers = crawlersOf(facts);
  const operators = valuesOf(facts, 'operator');
  const object = { type: 'identifier', value: item.identifier };
  const wrap = (id: string, type: string, xml: string): MetsMetadata => ({
    id,
    type: `PREMIS:${type}`,
    version: PREMIS.version,
    xml,
  });
  const event = (
    name: string,
    made: Omit<Parameters<typeof writePremisEvent>[0], 'identifier' | 'objects'>,
  ) => {
    const id = ids.of('event', `${HARVEST}\n${name}`);
    return wrap(id, 'EVENT', writePremisEvent({ identifier: id, objects: [object], ...made }));
  };
  const rights = ids.of('rights', HARVEST);
  return {
    id: harvestAdminId(context),
    techMD: facts.archives.map(({ file, size }) =>
      wrap(
        ids.of('object', `${HARVEST}\n${file}`),
        'OBJECT',
        writePremisObject({
          identifier: { type: 'archive file', value: file },
          fixities: [],
          ...(size !== undefined && { size }),
          format: /\.arc(?:\.gz)?$/i.test(file) ? 'application/x-ia-arc' : 'application/warc',
          events: [],
        }),
      ),
    ),
    rightsMD: [
      wrap(
        rights,
        'RIGHTS',
        writePremisRights({
          identifier: rights,
          otherBasis: 'policy of the repository',
          act: 'disseminate',
          restriction: isPublic ? 'none: open to everybody' : 'only to those whom the repository admits',
        }),
      ),
    ],
    digiprovMD: [
      ...(facts.startedAt === undefined
        ? []
        : [
            event('harvest', {
              type: 'harvest',
              at: facts.startedAt,
              details: [
                `until ${new Date(facts.endedAt ?? facts.startedAt).toISOString()}`,
                `${facts.files} files, ${facts.pages} pages, ${facts.redirects} redirects`,
                ...facts.archives.flatMap(({ file, info }) =>
                  info
                    .filter(([name]) => JOB_FIELDS.has(name.toLowerCase()))
                    .map(([name, value]) => `${file}: ${name} ${value}`),
                ),
              ],
              agents: [
                ...crawlers.map((name) => ({ name, role: 'crawler' })),
                ...operators.map((name) => ({ name, role: 'operator' })),
              ],
            }),
          ]),
      ...events.map(({ at, type, detail, agent }) =>
        event(`${type} ${at}`, {
          type,
          at,
          details: [detail],
          agents: [{ name: agent ?? publisher.software, role: 'implementer' }],
        }),
      ),
      ...[
        ...crawlers.map((name) => [name, 'software'] as const),
        ...operators.map((name) => [name, 'organization'] as const),
      ].map(([name, type]) => wrap(ids.of('agent', name), 'AGENT', writePremisAgent(name, type))),
    ],
  };
}

/** What warcinfo records say of the job (WARC 1.1, §6.2). */
const JOB_FIELDS = new Set([
  'ispartof',
  'description',
  'robots',
  'hostname',
  'format',
  'conformsto',
  'http-header-user-agent',
]);

export const crawlersOf = (facts: SiteFacts): string[] => valuesOf(facts, 'software');

const valuesOf = ({ archives }: SiteFacts, wanted: string): string[] => [
  ...new Set(
    archives.flatMap(({ info }) =>
      info.filter(([name]) => name.toLowerCase() === wanted).map(([, value]) => value),
    ),
  ),
];
