/**
 * IDs inside of a METS document. They follow from URLs alone, so that the same page, file or link has the
 * same ID in the next harvest; a link is known by where it leads, so that another one before it changes nothing.
 */
import { hash } from 'node:crypto';
import type { ModelLink } from '../site-model/model-types.ts';

const digestOf = (text: string): string => hash('sha256', text, 'hex').slice(0, 20);

export interface MetsIds {
  readonly site: string;
  readonly siteDescription: string;
  of(kind: IdKind, name: string): string;
  link(link: Pick<ModelLink, 'page' | 'url' | 'occurrence'>): string;
}

const LETTERS = {
  file: 'f',
  description: 'd',
  object: 't',
  headers: 'h',
  text: 'x',
  image: 'i',
  rights: 'r',
  event: 'e',
  agent: 'a',
  admin: 'm',
  page: 'p',
} as const;
type IdKind = keyof typeof LETTERS;

/** `scope`: one answer may hold several documents, and IDs are unique in all of it. */
export function createIds(scope?: string): MetsIds {
  const prefix = scope === undefined ? '' : `s${digestOf(scope).slice(0, 10)}-`;
  return {
    site: `${prefix}site`,
    siteDescription: `${prefix}d-site`,
    of: (kind, name) => `${prefix}${LETTERS[kind]}-${digestOf(name)}`,
    link: ({ page, url, occurrence }) => `${prefix}l-${digestOf(`${page}\n${url}\n${occurrence}`)}`,
  };
}
