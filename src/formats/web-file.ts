/**
 * What Garner knows of one file or page of a web site, as it is stored: small JSON, from which http_header,
 * oai_dc and oai_didl are made when they are asked for.
 */
import { common, preferred } from './fields.ts';
import type { MetadataFormat } from './format.ts';

export interface WebFile {
  readonly webFile: 1;
  readonly url: string;
  /** Below the base URL, percent-encoded: of an index file its own, not that of its folder. Pages have none. */
  readonly path?: string;
  /** Of an HTML page its own; else the name of the file. */
  readonly title: string;
  readonly size: number;
  /** With parameters, as a server would say it. */
  readonly contentType: string;
  /** Without parameters. */
  readonly mediaType: string;
  /** ISO 8601, UTC, whole seconds. Absent for pages whose server does not tell. */
  readonly lastModified?: string;
  readonly language?: string;
  /** Hex. */
  readonly sha256: string;
  /** `1234 bytes`, for Dublin Core. */
  readonly extent: string;
}

export const webFile: MetadataFormat = {
  name: 'web_file',
  label: 'File on the web',
  syntax: 'json',
  namespace: 'urn:garner:web-file',
  schemaLocation: 'urn:garner:web-file',
  namespaces: {},
  detect: [{ test: '/webFile=1 and /sha256' }],
  identifier: ['/url'],
  fields: [
    preferred('title', '/title', '/url'),
    common('date', ['/lastModified']),
    common('modified', ['/lastModified']),
    common('mediaType', ['/mediaType']),
    common('language', ['/language']),
    common('identifier', ['/url']),
    common('link', ['/url']),
    common('extent', ['/extent']),
  ],
  // Type and length both tell the form of the resource, as mod_oai maps Content-Type and Content-Length.
  dublinCore: {
    title: [{ field: 'title' }],
    date: [{ field: 'date' }],
    format: [{ field: 'mediaType' }, { field: 'extent' }],
    identifier: [{ field: 'identifier' }],
    language: [{ field: 'language' }],
  },
};
