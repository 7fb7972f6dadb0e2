/**
 * Products that are files of a folder, asked for as the product servers of old were: `OFSN = /path AND RT = type`.
 * OFSN is the online file specification name, RT the return type.
 */
import { createHash } from 'node:crypto';
import type { AccessRule } from '../../core/access.ts';
import { mayRead } from '../../core/access-match.ts';
import { GarnerError } from '../../core/errors.ts';
import { nearestNames } from '../../core/nearest.ts';
import { namesExactly, readEqualities } from './equalities.ts';
import { type ListedFile, writeListing } from './ofsn-listing.ts';
import type { Product, ProductForm, ProductHandler } from './product.ts';
import { bytesForm } from './product-bytes.ts';
import {
  type FoundFile,
  openProductFolder,
  type ProductFolder,
  readFile,
  typeOfFile,
} from './product-folder.ts';

export interface FolderHandlerOptions {
  readonly name: string;
  readonly path: string;
  /** Where a web server has the same files. */
  readonly url?: string;
  readonly access: AccessRule;
}

const ATTRIBUTES: ReadonlySet<string> = new Set(['ofsn', 'rt']);
const ALL_LEVELS = 64;
/** A list is one document. */
const MOST_LISTED = 50_000;

type ReturnType = (
  found: FoundFile,
  folder: ProductFolder,
  url: string | undefined,
) => AsyncIterable<Product>;

const list = (kind: FoundFile['kind'], depth: number): ReturnType =>
  async function* (found, folder) {
    if (found.kind !== 'folder') return;
    const files: ListedFile[] = [];
    for await (const one of folder.list(found, depth)) {
      if (one.kind !== kind) continue;
      if (files.length >= MOST_LISTED)
        throw new GarnerError(
          'query.too-broad',
          `there are more than ${MOST_LISTED}; ask for a folder below`,
        );
      files.push(listed(one));
    }
    yield document(found, writeListing(files));
  };

const ofFile = (
  make: (file: FoundFile, url: string | undefined) => Promise<Product | undefined>,
): ReturnType =>
  async function* (found, _, url) {
    const product = found.kind === 'file' ? await make(found, url) : undefined;
    if (product) yield product;
  };

/** One row for each; a new one is a plug-in of three lines. */
const RETURN_TYPES: Readonly<Record<string, ReturnType>> = {
  RAW: ofFile(async (file) => ({ name: file.path.slice(1), forms: [await fileForm(file)] })),
  MD5: ofFile(async (file) => {
    const digest = createHash('md5');
    for await (const piece of readFile(file)) digest.update(piece);
    return text(file, '.md5', `${digest.digest('hex')}\n`);
  }),
  URL: ofFile(async (file, url) => {
    if (url === undefined) return undefined;
    const path = file.path.split('/').map(encodeURIComponent).join('/');
    return text(file, '.url.txt', `${url.replace(/\/+$/, '')}${path}\n`);
  }),
  RAW_SIZE: ofFile(async (file) => document(file, writeListing([listed(file)], { sizesOnly: true }))),
  FILE_LIST: ofFile(async (file) => document(file, writeListing([listed(file)]))),
  DIRLIST: list('folder', ALL_LEVELS),
  DIRLIST1: list('folder', 1),
  DIRFILELIST: list('file', ALL_LEVELS),
  DIRFILELIST1: list('file', 1),
  /** Every file below as a product of its own: with `mime=application/zip` the folder as one file. */
  FILES: async function* (found, folder) {
    if (found.kind === 'file') yield { name: found.path.slice(1), forms: [await fileForm(found)] };
    else
      for await (const one of folder.list(found, ALL_LEVELS))
        if (one.kind === 'file') yield { name: one.path.slice(1), forms: [await fileForm(one)] };
  },
};

export function createFolderHandler({ name, path, url, access }: FolderHandlerOptions): ProductHandler {
  const folder = openProductFolder(path);
  return {
    name,
    async *find({ query }, viewer) {
      const values = readEqualities(query);
      const [ofsn, rt] = [values?.get('ofsn'), values?.get('rt') ?? 'RAW'];
      if (ofsn === undefined || !values || !mayRead(access, viewer)) return;
      if (!namesExactly(values, values.has('rt') ? ATTRIBUTES : new Set(['ofsn']))) return;
      const known = Object.keys(RETURN_TYPES);
      const give = Object.hasOwn(RETURN_TYPES, rt.toUpperCase()) ? RETURN_TYPES[rt.toUpperCase()] : undefined;
      if (!give)
        throw new GarnerError(
          'request.invalid',
          `RT: there is no return type "${rt}"; there are ${known.join(', ')}`,
          {
            details: { nearest: nearestNames(rt, known) },
          },
        );
      const found = await folder.find(ofsn);
      if (found) yield* give(found, folder, url);
    },
  };
}

async function fileForm(file: FoundFile): Promise<ProductForm> {
  const { size, modifiedAt, inode } = file;
  return {
    fileName: file.path.slice(1),
    mediaType: await typeOfFile(file),
    size,
    modifiedAt,
    tag: `${size.toString(36)}-${modifiedAt.toString(36)}-${inode.toString(36)}`,
    open: (range) => readFile(file, range),
  };
}

const listed = ({ kind, path, size }: FoundFile): ListedFile => ({
  ofsn: path,
  ...(kind === 'file' && { size }),
});

const lastName = ({ path }: FoundFile): string => path.slice(path.lastIndexOf('/') + 1) || 'products';

const document = (found: FoundFile, xml: string): Product => ({
  name: found.path.slice(1),
  forms: [{ ...bytesForm(Buffer.from(xml)), fileName: `${lastName(found)}.list.xml`, mediaType: 'text/xml' }],
});

const text = (found: FoundFile, ending: string, content: string): Product => ({
  name: found.path.slice(1),
  forms: [
    { ...bytesForm(Buffer.from(content)), fileName: lastName(found) + ending, mediaType: 'text/plain' },
  ],
});
