/** Which attributes of which elements hold addresses: HTML from 2.0 to the living standard, and its neighbours. */
import type { LinkKind } from '../link.ts';

/** How the value is to be read. */
export type ValueForm = 'url' | 'srcset' | 'list';

export interface AttributeRule {
  readonly kind: LinkKind;
  readonly form: ValueForm;
  readonly rel?: string;
  readonly heuristic?: true;
}

const rule = (kind: LinkKind, form: ValueForm = 'url', rel?: string): AttributeRule => ({
  kind,
  form,
  ...(rel === undefined ? {} : { rel }),
});
const lazy = (kind: LinkKind, form: ValueForm = 'url'): AttributeRule => ({ kind, form, heuristic: true });

/** On any element; the backgrounds are of tables, cells and rows of all kinds. */
const ANYWHERE: Readonly<Record<string, AttributeRule>> = {
  background: rule('image', 'url', 'background'),
  'xlink:href': rule('embed', 'url', 'xlink'),
  'data-src': lazy('embed'),
  'data-lazy': lazy('image'),
  'data-lazy-src': lazy('image'),
  'data-original': lazy('image'),
  'data-original-src': lazy('image'),
  'data-image': lazy('image'),
  'data-img': lazy('image'),
  'data-bg': lazy('image'),
  'data-background': lazy('image'),
  'data-background-image': lazy('image'),
  'data-poster': lazy('image'),
  'data-full': lazy('image'),
  'data-large': lazy('image'),
  'data-zoom-image': lazy('image'),
  'data-srcset': lazy('image', 'srcset'),
  'data-lazy-srcset': lazy('image', 'srcset'),
  'data-href': lazy('page'),
  'data-url': lazy('page'),
  'data-uri': lazy('page'),
  'data-thumbnail': lazy('image'),
};

const media = { src: rule('media') };
const image = { src: rule('image'), srcset: rule('image', 'srcset') };
const frame = { src: rule('frame'), longdesc: rule('page', 'url', 'longdesc') };
const cite = { cite: rule('page', 'url', 'cite') };
const svgImage = { href: rule('image'), 'xlink:href': rule('image') };

const BY_ELEMENT: Readonly<Record<string, Readonly<Record<string, AttributeRule>>>> = {
  a: { href: rule('page'), 'xlink:href': rule('page'), ping: rule('data', 'list', 'ping') },
  area: { href: rule('page'), ping: rule('data', 'list', 'ping') },
  img: {
    ...image,
    lowsrc: rule('image', 'url', 'lowsrc'),
    dynsrc: rule('media', 'url', 'dynsrc'),
    longdesc: rule('page', 'url', 'longdesc'),
  },
  image: { ...image, ...svgImage },
  input: { src: rule('image'), formaction: rule('form') },
  button: { formaction: rule('form') },
  form: { action: rule('form') },
  isindex: { action: rule('form') },
  script: { src: rule('script'), href: rule('script'), 'xlink:href': rule('script') },
  iframe: frame,
  frame,
  layer: { ...frame, background: rule('image', 'url', 'background') },
  ilayer: frame,
  portal: frame,
  video: { ...media, poster: rule('image', 'url', 'poster') },
  audio: media,
  track: media,
  bgsound: media,
  embed: { src: rule('object'), pluginspage: rule('page', 'url', 'pluginspage') },
  blockquote: cite,
  q: cite,
  ins: cite,
  del: cite,
  html: { manifest: rule('data', 'url', 'manifest') },
  head: { profile: rule('data', 'list', 'profile') },
  use: { href: rule('image'), 'xlink:href': rule('image') },
  feimage: svgImage,
  menuitem: { icon: rule('image') },
  command: { icon: rule('image') },
  'amp-img': image,
  'amp-anim': image,
  'amp-video': { ...media, poster: rule('image', 'url', 'poster') },
  'amp-audio': media,
  'amp-iframe': frame,
};

/** Known by what surrounds them: `source` in a picture is an image, elsewhere it is media. */
const PICTURE_SOURCE: Readonly<Record<string, AttributeRule>> = image;
const MEDIA_SOURCE: Readonly<Record<string, AttributeRule>> = { ...media, srcset: rule('image', 'srcset') };

const KIND_OF_LAZY: Readonly<Record<string, LinkKind>> = {
  img: 'image',
  iframe: 'frame',
  script: 'script',
  video: 'media',
  audio: 'media',
  source: 'image',
};

const own = <T>(table: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;

export function attributeRule(
  element: string,
  parent: string | undefined,
  attribute: string,
): AttributeRule | undefined {
  const table =
    element === 'source' ? (parent === 'picture' ? PICTURE_SOURCE : MEDIA_SOURCE) : own(BY_ELEMENT, element);
  const found = (table && own(table, attribute)) ?? own(ANYWHERE, attribute);
  if (found?.heuristic && attribute === 'data-src')
    return { ...found, kind: own(KIND_OF_LAZY, element) ?? found.kind };
  return found;
}
