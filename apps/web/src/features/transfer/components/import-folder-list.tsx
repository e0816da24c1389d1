import { formatCount } from '@linkoteca/domain/formats';
import { FOLDER_MESSAGES } from '@linkoteca/domain/messages/folder-messages';
import { Suspense, useState } from 'react';
import { announce } from '../../../shared/lib/browser/announce.ts';
import { lazyPart } from '../../../shared/lib/browser/lazy-part.tsx';
import { toast } from '../../../shared/ui/feedback/toast.ts';
import {
  type FilePlace,
  fitName,
  joinCategories,
  renameCategory,
  renameFolder,
} from '../model/amend-import.ts';
import type { ArrangedFolder, ImportArrangement } from '../model/arrange-import.ts';
import { dropKey } from '../model/dropped-places.ts';
import { describeJoined, TRANSFER_MESSAGES } from '../model/transfer-messages.ts';
import { ImportRow } from './import-row.tsx';

const JoinDialog = lazyPart(
  () => import('./join-dialog.tsx'),
  (module) => module.JoinDialog,
);

const words = TRANSFER_MESSAGES.import;

interface ImportFolderListProps {
  readonly arrangement: ImportArrangement;
  /** Keys (`dropKey`) of the folders and categories that the person does not want. */
  readonly dropped: ReadonlySet<string>;
  /** A correction is being compared with the library: no other one meanwhile. */
  readonly busy: boolean;
  readonly onChange: (dropped: ReadonlySet<string>) => void;
  /** @returns false where it could not be taken, and the person was told. */
  readonly onAmend: (
    arrangement: ImportArrangement,
    renamed?: { readonly from: string; readonly to: string },
  ) => Promise<boolean>;
}

/** The tree that a file will make: each folder, and each category in it, to take or to leave, to rename and to join. */
export function ImportFolderList({ arrangement, dropped, busy, onChange, onAmend }: ImportFolderListProps) {
  const { folders } = arrangement;
  // Where the keyboard goes on: the row has another name than before.
  const [focused, setFocused] = useState<string | null>(null);
  const [joining, setJoining] = useState<FilePlace | null>(null);
  const toggle = (key: string) => {
    const next = new Set(dropped);
    if (!next.delete(key)) next.add(key);
    setFocused(null);
    onChange(next);
  };
  const nameFolder = async (from: string, typed: string) => {
    const to = fitName(typed, 'folder');
    if (to === from) return true;
    if (folders.some(({ name }) => name === to)) return refuse(FOLDER_MESSAGES.nameTaken);
    const done = await onAmend(renameFolder(arrangement, from, to), { from, to });
    if (done) setFocused(dropKey(to));
    return done;
  };
  const nameCategory = async ({ name: folder, categories }: ArrangedFolder, from: string, typed: string) => {
    const to = fitName(typed, 'category');
    if (to === from) return true;
    if (categories.some(({ name }) => name === to)) {
      return refuse(words.categoryTaken, words.categoryTakenHint);
    }
    // One that nobody wants is not renamed: its row has no such button.
    const done = await onAmend(renameCategory(arrangement, { folder, category: from }, to));
    if (done) setFocused(dropKey(folder, to));
    return done;
  };
  const join = async (from: FilePlace, into: FilePlace) => {
    setJoining(null);
    if (!(await onAmend(joinCategories(arrangement, from, into)))) return;
    announce(describeJoined(from.category, into.category));
    setFocused(dropKey(into.folder, into.category));
  };
  const all = dropped.size === 0;
  const joinable = folders.reduce((sum, { categories }) => sum + categories.length, 0) > 1;
  return (
    <fieldset className="flex min-w-0 flex-col gap-1">
      <legend className="mb-1 text-sm font-medium text-ink">{words.folders}</legend>
      {folders.length > 1 ? (
        <ImportRow
          name={words.allFolders}
          checked={all}
          onToggle={() => onChange(all ? new Set(folders.map(({ name }) => dropKey(name))) : new Set())}
        />
      ) : null}
      <div className="max-h-96 overflow-y-auto rounded border border-line">
        {folders.map((folder) => (
          <div key={folder.name}>
            <ImportRow
              name={folder.name}
              size={describeSize(folder.categories)}
              checked={!dropped.has(dropKey(folder.name))}
              focused={focused === dropKey(folder.name)}
              busy={busy}
              field={words.folderName}
              onToggle={() => toggle(dropKey(folder.name))}
              onRename={(typed) => nameFolder(folder.name, typed)}
            />
            {folder.categories.length > 0 && !dropped.has(dropKey(folder.name)) ? (
              <details className="pb-1 pl-9">
                <summary className="w-fit cursor-pointer rounded py-1 text-sm text-ink-soft hover:text-ink">
                  {words.categories}
                  <span className="sr-only"> de {folder.name}</span>
                </summary>
                {folder.categories.map(({ name, links }) => (
                  <ImportRow
                    key={name}
                    name={name}
                    size={formatCount(links.length, 'link', 'links')}
                    checked={!dropped.has(dropKey(folder.name, name))}
                    focused={focused === dropKey(folder.name, name)}
                    busy={busy}
                    field={words.categoryName}
                    onToggle={() => toggle(dropKey(folder.name, name))}
                    onRename={(typed) => nameCategory(folder, name, typed)}
                    onJoin={joinable ? () => setJoining({ folder: folder.name, category: name }) : undefined}
                  />
                ))}
              </details>
            ) : null}
          </div>
        ))}
      </div>
      {joining ? (
        <Suspense>
          <JoinDialog
            folders={folders}
            dropped={dropped}
            place={joining}
            onClose={() => setJoining(null)}
            onJoin={(into) => void join(joining, into)}
          />
        </Suspense>
      ) : null}
    </fieldset>
  );
}

function refuse(title: string, reason?: string): false {
  toast.error(title, reason);
  return false;
}

function describeSize(categories: ArrangedFolder['categories']): string {
  const links = categories.reduce((sum, category) => sum + category.links.length, 0);
  return `${formatCount(categories.length, 'categoria', 'categorias')} · ${formatCount(links, 'link', 'links')}`;
}
