/** Dublin Core written as `oai_dc:dc`, ready to stand inside of an OAI-PMH record or alone. */
import { escapeText } from '../xml/write.ts';
import { DC_ELEMENTS, type DublinCore } from './format.ts';
import { oaiDc } from './oai-dc-format.ts';

const { oai_dc: OAI_DC, dc: DC } = oaiDc.namespaces;
const OPEN =
  `<oai_dc:dc xmlns:oai_dc="${OAI_DC}" xmlns:dc="${DC}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" ` +
  `xsi:schemaLocation="${oaiDc.namespace} ${oaiDc.schemaLocation}">`;

/** One element without an XML declaration. */
export function writeOaiDc(record: DublinCore): string {
  let written = OPEN;
  for (const element of DC_ELEMENTS) {
    for (const value of record[element] ?? [])
      written += `<dc:${element}>${escapeText(value)}</dc:${element}>`;
  }
  return `${written}</oai_dc:dc>`;
}
