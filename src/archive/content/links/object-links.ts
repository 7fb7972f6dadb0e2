/** Plug-ins of the old web: `object`, `applet`, `embed` and their `param`s, with codebase and archives. */
import { attributeOf, type HtmlElement, valueIn } from '../markup/walk-html.ts';
import type { LinkList, LinkNotes } from './link-list.ts';
import { parseUrl } from './resolve.ts';

export function addObjectLinks(list: LinkList, element: HtmlElement, notes: LinkNotes): void {
  const base = codebaseOf(list, element);
  const marked = { ...notes, base };
  const data = attributeOf(element, 'data');
  if (data) list.add(data, 'object', marked);
  const archive = attributeOf(element, 'archive');
  if (archive)
    for (const match of archive.text.matchAll(/[^\s,]+/g))
      list.add(archive, 'object', {
        ...marked,
        rel: 'archive',
        from: match.index,
        to: match.index + match[0].length,
      });
  const code = attributeOf(element, 'code');
  if (code && element.name !== 'embed') addCode(list, code.text.trim(), element, marked);
  const classId = attributeOf(element, 'classid');
  // `clsid:` names a program of the reader's computer; `java:` and paths name one on the server.
  if (classId && !/^\s*(?:clsid|java|python|progid):/i.test(classId.text))
    list.add(classId, 'object', { ...marked, rel: 'classid' });
  const codebase = attributeOf(element, 'codebase');
  // For ActiveX this is the installer, not a folder.
  if (codebase && /\.(?:cab|ocx|exe|inf)\b/i.test(codebase.text))
    list.add(codebase, 'data', { ...notes, rel: 'codebase' });
}

/** `Clock.class`, `Clock` and `org.example.Clock` are all the same habit. */
function addCode(list: LinkList, code: string, element: HtmlElement, notes: LinkNotes): void {
  const attribute = attributeOf(element, 'code');
  if (!attribute || code === '') return;
  const path = /\.class$/i.test(code) ? code.slice(0, -6) : code;
  const text = /^[\w$.]+$/.test(path) ? `${path.replaceAll('.', '/')}.class` : code;
  const { page, start, end } = attribute;
  list.add({ text, page, start, end, pieces: [{ text, start, end, exact: false }] }, 'object', {
    ...notes,
    rel: 'code',
  });
}

/** Parameters whose value the plug-in loads. */
const LOADED = /^(?:movie|src|filename|file|url|data|image|background|href|source|flv|mp3)$/i;

export function addParamLink(list: LinkList, element: HtmlElement, notes: LinkNotes): void {
  const name = valueIn(element, 'name') ?? '';
  const value = attributeOf(element, 'value');
  if (!value || !LOADED.test(name)) return;
  const owner = element.parent;
  const base = owner ? codebaseOf(list, owner) : undefined;
  // Flash resolves `movie` by the page, applets their files by the codebase.
  list.add(value, 'object', { ...notes, rel: name.toLowerCase(), ...(owner?.name === 'applet' && { base }) });
}

function codebaseOf(list: LinkList, element: HtmlElement): string | undefined {
  const codebase = valueIn(element, 'codebase');
  if (codebase === undefined || /\.(?:cab|ocx|exe|inf)\b/i.test(codebase)) return undefined;
  const folder = codebase.endsWith('/') ? codebase : `${codebase}/`;
  return parseUrl(folder, list.base)?.href;
}
