import { openPackages } from '../../app/packages.ts';
import type { Garner } from '../../app.ts';
import { OPERATOR } from '../../core/access.ts';
import { GarnerError } from '../../core/errors.ts';
import { dateSpan } from '../../core/time.ts';
import { METS } from '../../formats/mets/mets-document.ts';
import { metsText } from '../../packaging/mets/mets-form.ts';
import { findPackageForm, type PackageForm, packageFormsOf } from '../../packaging/package-form.ts';
import { renderRecord } from '../../publish/render-record.ts';
import { printCapture, readUrlAtTime } from '../capture-output.ts';
import { findNamedItem, onePositional } from '../find-item.ts';
import { holdHeaps } from '../memory.ts';
import { findAggregate } from '../mets-aggregates.ts';
import { openForVerb } from '../open.ts';
import { textOption, type Verb } from '../verb.ts';

export const getVerb: Verb = {
  name: 'get',
  summary: 'print one record, as it came or in another format, or archived content',
  usage:
    'get IDENTIFIER [--source NAME] [--format NAME] [--version N | --at DATE] | get URL@TIME [--headers] | get SERIES | DAY | sites | days --format mets',
  options: {
    source: { type: 'string', value: 'NAME', help: 'when two sources share the identifier' },
    format: {
      type: 'string',
      value: 'NAME',
      help: 'metadata format, oai_dc, or of a snapshot oai_didl, mets, mods, bag … (default: as it came)',
    },
    version: { type: 'string', value: 'N', help: 'an older version (garner history lists them)' },
    at: { type: 'string', value: 'DATE', help: 'as it was at that instant, e.g. 2026-11-15T06:00:00Z' },
    page: { type: 'string', value: 'URL', help: 'of a snapshot as METS: only this page' },
    'pages-apart': { type: 'boolean', help: 'of a snapshot as METS: pages as documents of their own' },
    headers: { type: 'boolean', help: 'of URL@TIME: the HTTP header of the answer, before the content' },
  },
  examples: [
    'garner get oai:example.org:42',
    'garner get file/1.xml --source samples --format oai_dc',
    'garner get http://example.org/@20080430 > page.html',
    'garner get ISCCP:20261115T030000Z --format oai_didl > snapshot.didl.xml',
    'garner get ISCCP --format mets > all-harvests.mets.xml',
    'garner get 2026-11-15 --format mets > harvests-of-a-day.mets.xml',
    'garner get ISCCP:20261115T030000Z --format mets --page http://example.org/ > page.mets.xml',
  ],
  async run({ positionals, values, terminal }) {
    const name = onePositional(positionals, 'identifier', this.usage);
    const format = textOption(values, 'format');
    const version = readVersion(textOption(values, 'version'));
    const at = readInstant(textOption(values, 'at'));
    await using garner = await openForVerb(values, terminal);
    const asked = readUrlAtTime(name);
    if (asked) {
      await printCapture(garner, asked, values, terminal);
      return 0;
    }
    const source = textOption(values, 'source');
    const { forms } = openPackages(garner);
    if (format === METS.prefix && !(await isPackaged(garner, name, forms))) {
      const aggregate = await findAggregate(garner, name, source);
      if (aggregate) {
        terminal.bytes(Buffer.from(metsText(aggregate)));
        return 0;
      }
    }
    const item = await findNamedItem(garner.store.items, name, source);
    const offered = packageFormsOf(forms, item.records);
    const form = format === undefined ? undefined : findPackageForm(offered, format);
    if (form) {
      holdHeaps();
      const page = textOption(values, 'page');
      const choice = { version, at, page, pagesApart: values['pages-apart'] === true };
      for await (const piece of await form.write(item, choice, OPERATOR))
        terminal.bytes(typeof piece === 'string' ? Buffer.from(piece) : piece);
      return 0;
    }
    const rendered = await renderRecord(
      garner.store.items,
      garner.formats,
      item,
      { format, version, at },
      OPERATOR,
    );
    terminal.bytes(rendered.bytes);
    return 0;
  },
};

/** A topic may have a record of its name that is no snapshot. */
async function isPackaged({ store }: Garner, name: string, forms: readonly PackageForm[]): Promise<boolean> {
  const items = await store.items.findItemsByIdentifier(name, OPERATOR);
  return items.some(({ records }) => findPackageForm(packageFormsOf(forms, records), METS.prefix));
}

export function readVersion(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const version = Number(text);
  if (!Number.isInteger(version) || version < 1) {
    throw new GarnerError('usage.invalid', `a version is a whole number from 1, not "${text}"`);
  }
  return version;
}

function readInstant(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const span = dateSpan(text);
  if (!span)
    throw new GarnerError('usage.invalid', `"${text}" is not a date like 2026-11-15 or 2026-11-15T06:00:00Z`);
  // A whole day means: as it was at the end of that day.
  return span.endAt - 1;
}
