/** The group that a file of a site belongs to, by its media type. */
import type { FileKind } from './model-types.ts';

const KINDS: readonly (readonly [RegExp, FileKind])[] = [
  [/^(?:text\/html|application\/xhtml\+xml)$/, 'page'],
  [/^text\/css$/, 'style'],
  [
    /^(?:text|application)\/(?:x-)?(?:javascript|ecmascript|jscript|livescript|vbscript)\d?(?:\.\d)?$/,
    'script',
  ],
  [/^(?:font\/|application\/(?:x-)?font|application\/vnd\.ms-fontobject)/, 'font'],
  [/^image\//, 'image'],
  [/^(?:audio|video)\/|^application\/(?:ogg|vnd\.rn-realmedia|x-mplayer2)$/, 'media'],
  [
    /^application\/(?:x-shockwave-flash|vnd\.adobe\.flash.*|x-director|java-archive|java-vm|x-java-.*|wasm)$/,
    'object',
  ],
  [
    /^(?:application\/(?:pdf|postscript|rtf|msword|epub\+zip|vnd\.(?:ms-(?:word|excel|powerpoint)|openxmlformats|oasis\.opendocument).*)|text\/(?:plain|rtf|markdown|csv))/,
    'document',
  ],
  [/^(?:application|text)\/(?:.*\+)?(?:json|xml)$/, 'data'],
];

export function fileKind(mediaType: string | undefined, status: number | undefined): FileKind {
  if (status !== undefined && status >= 400) return 'error';
  return KINDS.find(([pattern]) => pattern.test(mediaType ?? ''))?.[1] ?? 'other';
}
