/** Snapshots as DIDL containers, for downloads and for OAI-PMH. */
import type { Viewer } from '../../core/access.ts';
import type { ItemRef } from '../../core/model.ts';
import { OAI_DIDL } from '../../formats/didl/didl.ts';
import { webSnapshot } from '../../formats/web-snapshot.ts';
import type { PackageForm } from '../package-form.ts';
import { readSnapshot } from '../snapshot/read-snapshot.ts';
import { type DidlDeps, snapshotDidl } from './snapshot-didl.ts';
import { writeDidlEvents } from './write-events.ts';

/** `prefix`: the other name that the container format has. */
export function didlForm(deps: DidlDeps, prefix: string): PackageForm {
  return {
    name: OAI_DIDL.prefix,
    aliases: ['didl', prefix],
    label: 'DIDL container',
    mediaType: 'application/xml',
    extension: '.didl.xml',
    madeOf: [webSnapshot.name],
    write: async (ref, choice, viewer) => {
      const snapshot = await readSnapshot(deps.store, ref, choice, viewer);
      return withDeclaration(writeDidlEvents(snapshotDidl(deps, snapshot, viewer)));
    },
  };
}

async function* withDeclaration(
  document: AsyncIterable<string | Uint8Array>,
): AsyncGenerator<string | Uint8Array> {
  yield '<?xml version="1.0" encoding="UTF-8"?>\n';
  yield* document;
  yield '\n';
}

/** As OAI-PMH offers them: the same document under both prefixes. */
export function didlItemForms(deps: DidlDeps, prefix: string) {
  return [OAI_DIDL.prefix, prefix].map((name) => ({
    ...OAI_DIDL,
    prefix: name,
    madeOf: webSnapshot.name,
    content: 'raw' as const,
    render: async (ref: ItemRef, viewer: Viewer) =>
      writeDidlEvents(snapshotDidl(deps, await readSnapshot(deps.store, ref, {}, viewer), viewer)),
  }));
}
