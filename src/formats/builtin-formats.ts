/** Every format that Garner knows without being told; the order decides between equally fitting ones. */
import { cswRecord } from './csw-record.ts';
import { datacite } from './datacite.ts';
import { dif9 } from './dif9.ts';
import { dif10 } from './dif10.ts';
import type { MetadataFormat } from './format.ts';
import { genericJson } from './generic-json.ts';
import { genericXml } from './generic-xml.ts';
import { iso19115v3 } from './iso19115-3.ts';
import { iso19139 } from './iso19139.ts';
import { mets } from './mets/mets-format.ts';
import { mods } from './mods.ts';
import { oaiDc } from './oai-dc-format.ts';
import { ogcRecord } from './ogc-record.ts';
import { oodtProfile } from './oodt-profile/format.ts';
import { schemaOrg } from './schema-org.ts';
import { stacItem } from './stac-item.ts';
import { webCapture } from './web-capture.ts';
import { webFile } from './web-file.ts';
import { webSnapshot } from './web-snapshot.ts';

export const BUILTIN_FORMATS: readonly MetadataFormat[] = [
  oaiDc,
  dif10,
  dif9,
  iso19139,
  iso19115v3,
  datacite,
  mods,
  mets,
  cswRecord,
  oodtProfile,
  genericXml,
  stacItem,
  ogcRecord,
  webFile,
  webCapture,
  webSnapshot,
  schemaOrg,
  genericJson,
];

/** What a document is when no format fits. A format of this name in the config takes its place. */
export const FALLBACK_FORMATS = { xml: genericXml.name, json: genericJson.name } as const;
