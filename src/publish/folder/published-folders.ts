/** All published folders of one installation, and what they give to the ways out. */
import type { ItemForm } from '../oai/item-form.ts';
import { createPasswords } from './apache/htpasswd.ts';
import { createFileContents, type FileContents } from './file-contents.ts';
import type { FolderSource } from './folder-source.ts';
import { createFolderForms } from './forms.ts';
import { HarvestWatch } from './harvest-watch.ts';
import {
  type PublishDeps,
  type PublishedFolder,
  type PublishOptions,
  publishFolder,
} from './published-folder.ts';

export interface PublishedFolders {
  readonly list: readonly PublishedFolder[];
  readonly forms: readonly ItemForm[];
  readonly files: FileContents;
  /** Groups of the viewer who shows a name and password of a web server's password file. */
  groupsOf(user: string, password: string): Promise<readonly string[] | undefined>;
  /** To be awaited before a list of everything is given. */
  onHarvest(): Promise<void>;
  stop(): Promise<void>;
}

export interface FolderPlan extends Pick<PublishDeps, 'client'> {
  readonly source: FolderSource;
  readonly options: PublishOptions;
}

export function publishFolders(
  deps: Omit<PublishDeps, 'passwords' | 'watch' | 'client'>,
  plans: readonly FolderPlan[],
): PublishedFolders {
  const passwords = createPasswords();
  const folders = plans.map(({ source, options, client }) => {
    const watch = new HarvestWatch();
    return { watch, folder: publishFolder({ ...deps, passwords, watch, client }, source, options) };
  });
  const partsOf = (name: string) => folders.find(({ folder }) => folder.source.name === name)?.folder.parts;
  return {
    list: folders.map(({ folder }) => folder),
    forms: createFolderForms(partsOf),
    files: createFileContents(partsOf),
    groupsOf: (user, password) => passwords.groupsOf(user, password),
    onHarvest: async () => {
      for (const { watch } of folders) await watch.visit();
    },
    stop: async () => {
      await Promise.all(folders.map(({ folder }) => folder.stop()));
    },
  };
}
