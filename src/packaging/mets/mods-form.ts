/** The descriptions of METS by themselves: snapshots and captures as MODS, for downloads and for OAI-PMH. */
import type { Viewer } from '../../core/access.ts';
import type { ItemRef } from '../../core/model.ts';
import { mods } from '../../formats/mods.ts';
import { MODS, modsDocument } from '../../formats/mods-write.ts';
import { webCapture } from '../../formats/web-capture.ts';
import { webSnapshot } from '../../formats/web-snapshot.ts';
import type { PackageChoice, PackageForm } from '../package-form.ts';
import { type MetsDeps, openPackage } from './open-package.ts';

const MADE_OF = [webSnapshot.name, webCapture.name];

export function modsForm(deps: MetsDeps): PackageForm {
  return {
    name: mods.name,
    label: mods.label,
    mediaType: 'application/xml',
    extension: '.mods.xml',
    madeOf: MADE_OF,
    write: async (ref, choice, viewer) =>
      once(`<?xml version="1.0" encoding="UTF-8"?>\n${await describe(deps, ref, choice, viewer)}\n`),
  };
}

/** As OAI-PMH offers them. */
export function modsItemForms(deps: MetsDeps) {
  return MADE_OF.map((madeOf) => ({
    prefix: mods.name,
    namespace: MODS.namespace,
    schema: MODS.schema,
    madeOf,
    content: 'raw' as const,
    render: (record: ItemRef, viewer: Viewer) => describe(deps, record, {}, viewer),
  }));
}

async function describe(
  deps: MetsDeps,
  ref: ItemRef,
  { version, at, page }: PackageChoice,
  viewer: Viewer,
): Promise<string> {
  const { model, parts } = await openPackage(deps, ref, { version, at, page }, viewer, {
    requisites: 'none',
  });
  try {
    const [description] = parts.descriptions;
    return modsDocument(description?.xml ?? '');
  } finally {
    model[Symbol.dispose]();
  }
}

async function* once(text: string): AsyncGenerator<string> {
  yield text;
}
