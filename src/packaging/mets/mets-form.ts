/** Snapshots and captures as METS, for downloads and for OAI-PMH. */
import type { Viewer } from '../../core/access.ts';
import type { ItemRef } from '../../core/model.ts';
import { METS, type MetsParts } from '../../formats/mets/mets-document.ts';
import { writeMets } from '../../formats/mets/write-mets.ts';
import { webCapture } from '../../formats/web-capture.ts';
import { webSnapshot } from '../../formats/web-snapshot.ts';
import type { HarvestRecord } from '../../store/index.ts';
import type { PackageForm } from '../package-form.ts';
import { type MetsDeps, type OpenedPackage, openPackage } from './open-package.ts';

const XML_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';
/** Few large pieces go through streams faster than many small ones. */
const CHUNK = 64 * 1024;

export function metsForm(deps: MetsDeps): PackageForm {
  return {
    name: METS.prefix,
    label: 'METS',
    mediaType: 'application/xml',
    extension: '.mets.xml',
    madeOf: [webSnapshot.name, webCapture.name],
    write: async (ref, choice, viewer) =>
      stream(await openPackage(deps, ref, choice, viewer), XML_DECLARATION),
  };
}

/** As OAI-PMH offers them. */
export function metsItemForms(deps: MetsDeps) {
  return [webSnapshot.name, webCapture.name].map((madeOf) => ({
    ...METS,
    madeOf,
    content: 'raw' as const,
    render: async (record: ItemRef & Pick<HarvestRecord, 'oaiIdentifier'>, viewer: Viewer) =>
      stream(await openPackage(deps, record, {}, viewer, { idScope: record.oaiIdentifier })),
  }));
}

/** Small documents, such as aggregators, at once. */
export const metsText = (parts: MetsParts): string => XML_DECLARATION + [...writeMets(parts)].join('');

/** Closes the model when it was read, or when nobody reads on. */
async function* stream({ model, parts }: OpenedPackage, before = ''): AsyncGenerator<string> {
  try {
    let chunk = before;
    for (const piece of writeMets(parts)) {
      chunk += piece;
      if (chunk.length < CHUNK) continue;
      yield chunk;
      chunk = '';
    }
    yield chunk;
  } finally {
    model[Symbol.dispose]();
  }
}
