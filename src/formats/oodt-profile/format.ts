/** Resource profiles as records: Dublin Core for all, every attribute for DIS expressions. */
import { CROSSWALK_WITHOUT_LINKS } from '../crosswalk.ts';
import { common, preferred } from '../fields.ts';
import type { MetadataFormat } from '../format.ts';
import { BOX, PERIOD } from '../oai-dc-format.ts';
import { indexProfile } from './profile-attributes.ts';
import { readProfile } from './read-xml.ts';

const res = (name: string) => `/profile/resAttributes/${name}`;

export const oodtProfile: MetadataFormat = {
  name: 'oodt_profile',
  label: 'OODT profile',
  syntax: 'xml',
  namespace: '',
  schemaLocation: '',
  namespaces: {},
  detect: [{ root: 'profile', test: 'boolean(/profile/profAttributes or /profile/resAttributes)' }],
  identifier: ['/profile/profAttributes/profId', '/profile/profAttributes/profid', res('Identifier')],
  fields: [
    preferred('title', res('Title'), res('Identifier')),
    common('creator', [res('Creator')]),
    common('contributor', [res('Contributor')]),
    common('publisher', [res('Publisher')]),
    common('subject', [res('Subject')]),
    common('description', [res('Description')]),
    common('date', [res('Date')]),
    common('type', [res('Type')]),
    common('mediaType', [res('Format')]),
    common('language', [res('Language')]),
    common('identifier', [res('Identifier')]),
    common('origin', [res('Source')]),
    common('relation', [res('Relation')]),
    common('place', [`${res('Coverage')}[not(${BOX} or ${PERIOD})]`]),
    common('bbox', [`${res('Coverage')}[${BOX}]`]),
    common('time', [`${res('Coverage')}[${PERIOD}]`]),
    common('rights', [res('Rights')]),
    common('link', [`${res('resLocation')}[starts-with(normalize-space(.),'http')]`]),
  ],
  attributes: (record) => indexProfile(readProfile(record)),
  dublinCore: CROSSWALK_WITHOUT_LINKS,
};
