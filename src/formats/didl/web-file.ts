/** The DIDL of one file on the web, as mod_oai packages it: headers, Dublin Core, fixity, and the file itself. */

import { hash } from 'node:crypto';
import type { DublinCore } from '../format.ts';
import { type HttpHeader, writeHttpHeader } from '../http-header.ts';
import { writeOaiDc } from '../oai-dc.ts';
import { writePremisFile } from '../premis-file.ts';
import { writeDidl } from './didl.ts';

export interface DidlFile {
  /** The address, which is also the identifier. */
  readonly url: string;
  readonly mediaType: string;
  /** Absent where the bytes could not be looked at. */
  readonly fixity?: { readonly size: number; readonly sha256: string } | undefined;
  readonly headers: readonly HttpHeader[];
  readonly dublinCore: DublinCore;
  /** By value when given. */
  readonly bytes?: AsyncIterable<Uint8Array>;
  /** By reference too; without bytes it is by reference anyway. */
  readonly reference: boolean;
}

export function writeFileDidl(file: DidlFile): AsyncIterable<string> {
  const { url, mediaType, fixity, bytes } = file;
  const resource = {
    mediaType,
    ...(bytes && { bytes }),
    ...((file.reference || !bytes) && { ref: url }),
  };
  // One answer may hold many documents, and ids are unique in all of it.
  const id = hash('sha256', url, 'hex').slice(0, 20);
  return writeDidl(documentId(fixity?.sha256 ?? hash('sha256', url, 'hex'), url), {
    id: `item-${id}`,
    identifier: url,
    statements: [writeHttpHeader(file.headers), writeOaiDc(file.dublinCore)],
    components: [
      {
        id: `component-${id}`,
        statements: fixity ? [writePremisFile({ url, mediaType, ...fixity })] : [],
        resources: [resource],
      },
    ],
  });
}

/** The same for the same bytes at the same address (RFC 6920 names for the digest). */
const documentId = (sha256: string, url: string): string =>
  `ni:///sha-256;${Buffer.from(sha256, 'hex').toString('base64url')}?ct=didl&u=${encodeURIComponent(url)}`;
