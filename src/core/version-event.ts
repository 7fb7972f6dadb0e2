/**
 * Why a version came to be. The site changed: its creators drove it; a fix, another cataloguing, another format:
 * the repository did. Kept with the version under `event` of its origin.
 */
import type { Instant } from './model.ts';

export const EVENT_TYPES = [
  'capture',
  'recapture',
  'fix',
  'recataloguing',
  'migration',
  'repackaging',
  'modification',
  'deletion',
  'restoration',
  'rollback',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

export type EventDriver = 'creator' | 'repository';

export interface VersionEvent {
  readonly type: EventType;
  readonly driver: EventDriver;
  /** Who did it: a person or a program. */
  readonly agent?: string;
  readonly reason?: string;
}

/** What can be done to an item that is there, other than by its origin. */
export const MODIFICATIONS = ['fix', 'recataloguing', 'migration', 'repackaging'] as const;
export type ModificationType = (typeof MODIFICATIONS)[number];

/** Of the facts that are kept with a version; undefined when it does not say. */
export function readEvent(origin: unknown): VersionEvent | undefined {
  const event = memberOf(origin, 'event');
  const type = EVENT_TYPES.find((name) => name === memberOf(event, 'type'));
  const driver = memberOf(event, 'driver');
  if (!type || (driver !== 'creator' && driver !== 'repository')) return undefined;
  const agent = memberOf(event, 'agent');
  const reason = memberOf(event, 'reason');
  return {
    type,
    driver,
    ...(typeof agent === 'string' && { agent }),
    ...(typeof reason === 'string' && { reason }),
  };
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;

/** What follows from the kind of change alone, where nothing else is said. */
const USUAL: Readonly<Record<string, VersionEvent>> = {
  added: { type: 'capture', driver: 'creator' },
  updated: { type: 'modification', driver: 'creator' },
  deleted: { type: 'deletion', driver: 'repository' },
  restored: { type: 'restoration', driver: 'creator' },
  'rolled-back': { type: 'rollback', driver: 'repository' },
};

export function eventOf(version: {
  readonly change: string;
  readonly event?: VersionEvent;
  readonly note?: string;
}): VersionEvent {
  // A version that was brought back has the facts of the old one, but came by a rollback.
  const told = version.change === 'rolled-back' ? undefined : version.event;
  const usual = told ?? USUAL[version.change] ?? { type: 'modification', driver: 'repository' };
  return usual.reason === undefined && version.note !== undefined
    ? { ...usual, reason: version.note }
    : usual;
}

/** For people: why, who, and whether it is kept for ever or its content no longer. */
export function describeVersion(version: {
  readonly change: string;
  readonly event?: VersionEvent;
  readonly note?: string;
  readonly pinned?: boolean;
  readonly thinned?: boolean;
  readonly thinnedAt?: Instant;
}): string {
  const event = version.event && eventOf(version);
  return [
    // That it was rolled back is told by the change itself.
    ...(event && version.change !== 'rolled-back' ? [event.type] : []),
    ...(event ? [`${event.driver}-driven`, event.agent, event.reason] : [version.note]),
    version.pinned ? 'pinned' : undefined,
    version.thinned ? `content no longer kept${sinceText(version.thinnedAt)}` : undefined,
  ]
    .filter((text) => text !== undefined)
    .join(', ');
}

const sinceText = (at: Instant | undefined): string =>
  at === undefined ? '' : ` since ${new Date(at).toISOString().slice(0, 10)}`;
