/** Which strings of a script or a Flash film are probably addresses, and of what. */
import type { LinkKind } from '../link.ts';

const KIND_BY_EXTENSION: Readonly<Record<string, LinkKind>> = Object.fromEntries(
  (
    [
      ['page', 'htm html shtml xhtml phtml php php3 php4 asp aspx jsp jspx cfm cgi do pl pdf doc docx txt'],
      ['script', 'js mjs cjs'],
      ['style', 'css'],
      ['image', 'gif png jpg jpeg jpe webp avif svg bmp ico tif tiff'],
      [
        'media',
        'mp3 mp4 m4a m4v ogg ogv oga webm wav mid midi au ra rm ram avi mov mpg mpeg flv wmv m3u8 mpd',
      ],
      ['font', 'woff woff2 ttf otf eot'],
      ['object', 'swf dcr class jar'],
      ['data', 'json xml csv rss atom geojson'],
    ] as const
  ).flatMap(([kind, extensions]) => extensions.split(' ').map((extension) => [extension, kind])),
);

/** What the end of the path promises. */
export function kindByName(url: string): LinkKind | undefined {
  const path = url.split(/[?#]/, 1)[0] ?? '';
  const slash = path.lastIndexOf('/');
  const dot = path.lastIndexOf('.');
  // `https://example.com` ends in a host, not in a file.
  if (dot <= slash || /^(?:[a-z]+:)?\/\/[^/]*$/i.test(path)) return undefined;
  const extension = path.slice(dot + 1).toLowerCase();
  return Object.hasOwn(KIND_BY_EXTENSION, extension) ? KIND_BY_EXTENSION[extension] : undefined;
}

const MAX_LENGTH = 2048;
const ABSOLUTE = /^(?:https?:)?\/\/[a-z0-9][a-z0-9.-]*(?::\d+)?(?:[/?#][^\s"'<>\\^`{|}]*)?$/i;
const URL_CHARACTERS = /^[\w\-.~:/?#[\]@!$&()*+,;=%]+$/;
/** A path from the root, of at least two letters; not a regular expression, a comment or a closing tag. */
const ROOTED = /^\/[\w~%.-]{2,}(?:\/[\w~%.,:@+-]*)*(?:\?[^\s]*)?(?:#.*)?$/;

/** The kind of thing that this string would be the address of, or undefined when it is probably none. */
export function guessLinkKind(text: string): LinkKind | undefined {
  if (text.length < 4 || text.length > MAX_LENGTH) return undefined;
  if (ABSOLUTE.test(text)) {
    const host = /\/\/([^/?#:]*)/.exec(text)?.[1] ?? '';
    // `//comment` is none; `//cdn.example/x` is.
    if (!host.includes('.') || host.endsWith('.')) return undefined;
    return kindByName(text) ?? 'page';
  }
  if (!URL_CHARACTERS.test(text)) return undefined;
  const kind = kindByName(text);
  // A bare extension, as in `endsWith('.html')`, names no file; nor does a pattern.
  if (kind !== undefined)
    return /(?:^|\/)\.[a-z0-9]+$/i.test(text) || /[*$[\]()]/.test(text) ? undefined : kind;
  return ROOTED.test(text) ? 'page' : undefined;
}
