/** Of the events of a METS document its head and its files, one after another; what files hold goes to the disk. */
import { createHash } from 'node:crypto';
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { asGarnerError } from '../../core/errors.ts';
import type { RecordProblem } from '../../core/model.ts';
import { Base64Reader } from '../../formats/didl/base64.ts';
import type { MetsFile, MetsHead } from '../../formats/mets/mets-document.ts';
import type { MetsEvent } from '../../formats/mets/read-events.ts';
import { fileOf, locationOf, type OpenFile } from '../../formats/mets/read-mets.ts';
import { decodeReferences } from '../../xml/start-tag.ts';

interface ReadMetsFile {
  readonly file: MetsFile;
  /** Where its content lies, when the document has it. */
  readonly content?: string;
  /** The document has content that is none; that was told. */
  readonly isBroken: boolean;
}

interface Spool {
  readonly path: string;
  readonly handle: FileHandle;
  readonly reader: Base64Reader;
}

export class MetsFileReader {
  /** Known in full at the end of the document. */
  head: Pick<MetsHead, 'objectId' | 'documentId' | 'label' | 'created'> = {};
  readonly #scratch: string | undefined;
  #isDescription = false;
  #file: OpenFile | undefined;
  #spool: Spool | undefined;
  #content: string | undefined;
  #isBroken = false;

  /** `scratch`: absent when nothing is to be unpacked. */
  constructor(scratch?: string) {
    this.#scratch = scratch;
  }

  /** A file, at its end. */
  async take(
    event: MetsEvent,
    note: (code: RecordProblem['code'], where: string, message: string) => void,
  ): Promise<ReadMetsFile | undefined> {
    if (event.kind === 'start') this.#start(event);
    else if (!this.#file) this.#readHead(event);
    else
      try {
        if (event.kind === 'content') await this.#write(event.bytes);
        else if (event.name === 'binData') await this.#endContent();
        else if (event.name === 'xmlData') await this.#writeXml(event.text);
      } catch (thrown) {
        const { code, message } = asGarnerError(thrown);
        if (code !== 'didl.content') throw thrown;
        await this.#spool?.handle.close();
        this.#spool = undefined;
        this.#isBroken = true;
        note('archive.record', this.#file.id, message);
      }
    return event.kind === 'end' && event.name === 'file' ? this.#endFile() : undefined;
  }

  #start({ name, attributes }: Extract<MetsEvent, { kind: 'start' }>): void {
    const text = (attribute: string) => attributes.get(attribute);
    if (name === 'mets')
      this.head = { ...named('objectId', text('OBJID')), ...named('label', text('LABEL')) };
    else if (name === 'dmdSec') this.#isDescription = true;
    else if (name === 'metsHdr') this.head = { ...this.head, ...named('created', text('CREATEDATE')) };
    else if (name === 'div' && this.head.label === undefined)
      this.head = { ...this.head, ...named('label', text('LABEL')) };
    else if (name === 'file') this.#file = fileOf(attributes);
    else if (name === 'FLocat') this.#file?.locations.push(locationOf(attributes));
  }

  #readHead(event: MetsEvent): void {
    if (event.kind !== 'end') return;
    if (event.name === 'metsDocumentID') this.head = { ...this.head, documentId: event.text };
    // Of several descriptions the first is that of the whole.
    if (event.name === 'xmlData' && this.#isDescription && this.head.label === undefined)
      this.head = { ...this.head, ...named('label', findTitle(event.text)) };
    if (event.name === 'dmdSec') this.#isDescription = false;
  }

  async #openSpool(): Promise<Spool | undefined> {
    if (this.#scratch === undefined || this.#isBroken) return undefined;
    await mkdir(this.#scratch, { recursive: true });
    const path = join(
      this.#scratch,
      createHash('sha256')
        .update(this.#file?.id ?? '')
        .digest('hex')
        .slice(0, 32),
    );
    return { path, handle: await open(path, 'w'), reader: new Base64Reader() };
  }

  async #write(bytes: Uint8Array): Promise<void> {
    this.#spool ??= await this.#openSpool();
    if (this.#spool) await this.#spool.handle.write(this.#spool.reader.push(bytes));
  }

  async #endContent(): Promise<void> {
    const spool = this.#spool;
    if (!spool) return;
    await spool.handle.write(spool.reader.finish());
    await spool.handle.close();
    this.#spool = undefined;
    this.#content = spool.path;
  }

  /** A file may also be XML that stands in the document as it is. */
  async #writeXml(text: string): Promise<void> {
    const spool = await this.#openSpool();
    await spool?.handle.writeFile(text);
    await spool?.handle.close();
    this.#content = spool?.path;
  }

  #endFile(): ReadMetsFile | undefined {
    const [file, content, isBroken] = [this.#file, this.#content, this.#isBroken];
    this.#file = undefined;
    this.#content = undefined;
    this.#isBroken = false;
    return file && { file, isBroken, ...(content !== undefined && { content }) };
  }
}

const named = <Name extends string>(name: Name, text: string | undefined) =>
  (text === undefined ? {} : { [name]: text }) as { readonly [N in Name]?: string };

/** Of MODS (`titleInfo/title`), Dublin Core and whatever else calls it so; prefixes may be declared further outside. */
const findTitle = (xml: string): string | undefined =>
  decodeReferences(/<(?:[\w.-]+:)?title(?:\s[^>]*)?>\s*([^<]+?)\s*<\//.exec(xml)?.[1] ?? '') || undefined;
