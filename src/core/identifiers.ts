/** Names that people choose, identifiers that records bring, and how both stand in URLs. */
import type { ItemRef } from './model.ts';

/** Sources, views, sets and formats: safe in paths, URLs, XML names of files and OAI set specs. */
export const NAME_PATTERN = /^[A-Za-z0-9][A-Za-z0-9_-]*$/;

export function isName(text: string): boolean {
  return NAME_PATTERN.test(text);
}

/** The domain-like middle of an OAI identifier, as the OAI identifier format allows it. */
export const REPOSITORY_IDENTIFIER_PATTERN = /^[A-Za-z][A-Za-z0-9-]*(?:\.[A-Za-z][A-Za-z0-9-]*)+$/;

/** Roots of sets that mean something to Garner itself: where items came from, and what type they have. */
export const OWN_SET_ROOTS: readonly string[] = ['source', 'mime'];

/** An OAI setSpec: unreserved characters of RFC 2396, levels divided by colons. */
export const SET_SPEC_PATTERN = /^[A-Za-z0-9\-_.!~*'()]+(?::[A-Za-z0-9\-_.!~*'()]+)*$/;

const ABSOLUTE_URI =
  /^[A-Za-z][A-Za-z0-9+.-]+:(?:[A-Za-z0-9\-._~:/?[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})+(?:#(?:[A-Za-z0-9\-._~:/?@!$&'()*+,;=]|%[0-9A-Fa-f]{2})*)?$/;

/** RFC 3986, by syntax alone. A scheme of one letter is taken for a Windows drive. */
export function isAbsoluteUri(text: string): boolean {
  return ABSOLUTE_URI.test(text);
}

/**
 * An OAI identifier for a record whose own is no URI, or is taken: `oai:example.org:source:local`.
 * No two items share one, since names of sources hold no colon and the encoding can be undone.
 */
export function mintOaiIdentifier(repositoryIdentifier: string, source: string, identifier: string): string {
  const local = encodeURI(identifier.toWellFormed()).replaceAll('#', '%23');
  return `oai:${repositoryIdentifier}:${source}:${local}`;
}

/*
 * Identifiers in paths. Percent escapes do not survive the way: browsers resolve `%2e%2e` as a parent
 * folder, proxies decode `%2F`, refuse `%5C` and `%00`, merge `//` and decode `%25` twice. So every
 * ASCII character that anybody might touch is written as `~` and its two upper-case hex digits, which
 * are plain unreserved characters to all of them; `~` itself is `~7E`. A slash stays a slash where it
 * stands between two other characters. Beyond ASCII the usual percent escapes of UTF-8 are used, which
 * browsers show as letters. A lone surrogate, which UTF-8 cannot say, is `~u` and four hex digits.
 */
const TOUCHY = /[^A-Za-z0-9\-_.:,@=/\u0080-\u{10FFFF}]/gu;
/** Slashes that begin or end a text or stand beside another. */
const LOOSE_SLASH = /(?<![^/])\/|\/(?![^/])/g;
/** Segments of only dots are resolved by browsers; dots at the end of a segment are cut by some servers. */
const LAST_DOTS = /\.+(?=\/|$)/g;
const LONE_SURROGATE = /\p{Surrogate}/gu;
const ESCAPE = /~(?:([0-7][0-9A-F])|u(D[89A-F][0-9A-F]{2}))/g;

const tildes = (text: string): string => {
  let escaped = '';
  for (let i = 0; i < text.length; i++)
    escaped += `~${text.charCodeAt(i).toString(16).toUpperCase().padStart(2, '0')}`;
  return escaped;
};

function encodeIdentifier(identifier: string): string {
  const escaped = identifier
    .replace(TOUCHY, tildes)
    .replace(LOOSE_SLASH, tildes)
    .replace(LAST_DOTS, tildes)
    .replace(LONE_SURROGATE, (unit) => `~u${unit.charCodeAt(0).toString(16).toUpperCase()}`);
  return escaped.replace(/[\u0080-\u{10FFFF}]+/gu, encodeURIComponent);
}

/** The path of an item's page, or of what stands under another prefix for it; see `parseItemPath`. */
export function itemPath(source: string, identifier: string, prefix = '/items/'): string {
  return `${prefix}${source}/${encodeIdentifier(identifier)}`;
}

/**
 * The item that a request target names, undefined when it names none. Takes the raw target (routers
 * normalise what they hand on). Plain percent escapes, as people write them by hand, are read too.
 */
export function parseItemPath(rawTarget: string, prefix = '/items/'): ItemRef | undefined {
  const path = rawTarget.replace(/[?#].*$/s, '');
  if (!path.startsWith(prefix)) return undefined;
  const [, source, encoded] = /^([^/]+)\/(.+)$/s.exec(path.slice(prefix.length)) ?? [];
  if (source === undefined || encoded === undefined || !isName(source)) return undefined;
  try {
    const identifier = decodeURIComponent(encoded).replace(
      ESCAPE,
      (_, ascii: string | undefined, unit: string | undefined) =>
        String.fromCharCode(Number.parseInt(ascii ?? unit ?? '', 16)),
    );
    return { source, identifier };
  } catch {
    // Malformed percent escapes name no item.
    return undefined;
  }
}
