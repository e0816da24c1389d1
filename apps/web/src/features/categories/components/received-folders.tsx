import {
  describeFolderActions,
  describeNewLinks,
  FOLDER_ROLE_WORDS,
  FOLDER_SHARING_MESSAGES as words,
} from '@linkoteca/domain/messages/folder-sharing-messages';
import { SHARE_FOLDER_LABEL } from '@linkoteca/domain/messages/shared-folder-labels';
import { describeOwner } from '@linkoteca/domain/messages/sharing-messages';
import { Ellipsis, LogOut, Plus, Users } from 'lucide-react';
import { useRef, useState } from 'react';
import { joinClassNames } from '../../../shared/lib/browser/join-class-names.ts';
import { FolderSpine } from '../../../shared/ui/folder-spine.tsx';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { AnchoredMenu } from '../../../shared/ui/menus/anchored-menu.tsx';
import { MenuItem } from '../../../shared/ui/menus/menu-item.tsx';
import { VisuallyHidden } from '../../../shared/ui/visually-hidden.tsx';
import type { FolderNews } from '../api/folder-news.ts';
import type { ReceivedFolder } from '../api/list-received-folders.ts';

interface ReceivedFoldersProps {
  readonly folders: readonly ReceivedFolder[];
  /** Where others have added something since the person looked. */
  readonly news?: FolderNews | undefined;
  readonly activeCategoryId: string | null;
  readonly onOpen: (categoryId: string) => void;
  /** Asks for a new category, where the person may write. */
  readonly onAddCategory: (folder: ReceivedFolder) => void;
  /** Asks who shares it, where the person manages it. */
  readonly onShare: (folder: ReceivedFolder) => void;
  readonly onLeave: (folder: ReceivedFolder) => void;
}

/** The folders that others share, each with its categories and whose it is. */
export function ReceivedFolders({
  folders,
  news,
  activeCategoryId,
  onOpen,
  onAddCategory,
  onShare,
  onLeave,
}: ReceivedFoldersProps) {
  const [menu, setMenu] = useState<{ readonly anchor: Element; readonly folder: ReceivedFolder } | null>(
    null,
  );
  // What the menu is about stays while it closes.
  const subject = useRef<ReceivedFolder | null>(null);
  if (menu !== null) subject.current = menu.folder;
  // What is on the screen is no news.
  const freshIn = (id: string) => (id === activeCategoryId ? 0 : (news?.[id] ?? 0));
  return (
    <>
      <ul className="flex flex-col gap-1 py-px">
        {folders.map((folder) => (
          <li key={folder.id}>
            <div className="group/row flex items-center gap-1.5 rounded py-1 pr-1 pl-8">
              <FolderSpine folderId={folder.id} />
              <span className="min-w-0 flex-1" title={`${folder.name} · ${describeRights(folder)}`}>
                <span className="block truncate text-base font-medium text-ink-soft">{folder.name}</span>
                <span className="block truncate text-xs text-ink-faint">
                  {describeOwner(folder.ownerName)} · {describeRights(folder)}
                </span>
              </span>
              <IconButton
                size="small"
                label={describeFolderActions(folder.name)}
                title="Ações"
                aria-haspopup="menu"
                aria-expanded={menu?.folder.id === folder.id}
                className="opacity-0 group-focus-within/row:opacity-100 group-hover/row:opacity-100 aria-expanded:opacity-100 pointer-coarse:opacity-100"
                onClick={(event) => setMenu({ anchor: event.currentTarget, folder })}
              >
                <Ellipsis aria-hidden />
              </IconButton>
            </div>
            {folder.categories.length === 0 ? (
              <p className="py-1 pl-12 text-sm text-ink-faint">{words.noCategories}</p>
            ) : (
              <ul aria-label={folder.name} className="flex flex-col gap-px">
                {folder.categories.map(({ id, name }) => (
                  <li key={id}>
                    <button
                      type="button"
                      data-category={id}
                      aria-current={id === activeCategoryId ? 'page' : undefined}
                      className={joinClassNames(
                        'flex min-h-8 w-full items-center rounded py-1 pr-2 pl-12 text-left text-base transition-colors focus-visible:-outline-offset-2 pointer-coarse:min-h-11',
                        id === activeCategoryId ? 'bg-accent-soft text-accent-text' : 'hover:bg-hover',
                      )}
                      onClick={() => onOpen(id)}
                    >
                      <span className="min-w-0 flex-1 truncate">{name}</span>
                      <NewLinks count={freshIn(id)} />
                    </button>
                  </li>
                ))}
              </ul>
            )}
          </li>
        ))}
      </ul>
      <AnchoredMenu
        anchor={menu?.anchor ?? null}
        label={describeFolderActions(subject.current?.name ?? '')}
        onClose={() => setMenu(null)}
      >
        {subject.current?.mayWrite ? (
          <MenuItem
            icon={<Plus aria-hidden />}
            onSelect={() => subject.current && onAddCategory(subject.current)}
          >
            Nova Categoria
          </MenuItem>
        ) : null}
        {subject.current?.mayManage ? (
          <MenuItem icon={<Users aria-hidden />} onSelect={() => subject.current && onShare(subject.current)}>
            {SHARE_FOLDER_LABEL}
          </MenuItem>
        ) : null}
        <MenuItem
          tone="danger"
          icon={<LogOut aria-hidden />}
          onSelect={() => subject.current && onLeave(subject.current)}
        >
          {words.leave}
        </MenuItem>
      </AnchoredMenu>
    </>
  );
}

/** A quiet dot and how many; read aloud in words. */
function NewLinks({ count }: { readonly count: number }) {
  if (count === 0) return null;
  return (
    <>
      <VisuallyHidden> {describeNewLinks(count)}</VisuallyHidden>
      <span
        aria-hidden
        className="ml-2 inline-flex shrink-0 items-center gap-1.5 text-xs text-ink-soft tabular-nums"
        title={describeNewLinks(count)}
      >
        <span className="size-1.5 rounded-full bg-accent" />
        {count > 99 ? '99+' : count}
      </span>
    </>
  );
}

/** What the person may do in it now, whatever they were given. */
function describeRights({ mayWrite, mayManage }: ReceivedFolder): string {
  return FOLDER_ROLE_WORDS[mayManage ? 'manager' : mayWrite ? 'editor' : 'viewer'];
}
