import { describeFullPlan } from '@linkoteca/domain/messages/plan-messages';
import { sharingModeOf } from '@linkoteca/domain/sharing';
import { FolderPlus } from 'lucide-react';
import { Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { usePlan } from '../../features/account/api/subscription.ts';
import { useCategoryAllowance } from '../../features/account/api/usage.ts';
import { useLastArrival } from '../../features/categories/api/move-category.ts';
import { ReceivedRail } from '../../features/categories/components/received-rail.tsx';
import { ReceivedShares } from '../../features/categories/components/received-shares.tsx';
import { FolderRail } from '../../features/folders/components/folder-rail.tsx';
import { FolderTree } from '../../features/folders/components/folder-tree.tsx';
import { FolderTreeSkeleton } from '../../features/folders/components/folder-tree-skeleton.tsx';
import { NoFolders } from '../../features/folders/components/no-folders.tsx';
import type { TreeFolder, TreeNode } from '../../features/folders/model/tree-nodes.ts';
import { lazyPart } from '../../shared/lib/browser/lazy-part.tsx';
import { useIdlePreload } from '../../shared/lib/browser/use-idle-preload.ts';
import { Button } from '../../shared/ui/button.tsx';
import { LoadError } from '../../shared/ui/feedback/load-error.tsx';
import { useOrganiserDialogs } from './dialogs/organiser-dialogs-context.ts';
import { FavoritesHost } from './favorites/favorites-host.tsx';
import { useStars } from './favorites/use-stars.ts';
import { DropTrayHost } from './moving/drop-tray-host.tsx';
import { useLibraryDrops } from './moving/use-library-drops.ts';
import { loadReceived } from './received/load-received.ts';
import { useReceivedAccess } from './received/use-received-access.ts';
import { useReceivedActs } from './received/use-received-acts.ts';
import { useReceivedLimitToast } from './received/use-received-limit-toast.ts';
import { AccessRequestsHost, InboxHost, SavedSearchesHost } from './sidebar-entries.tsx';
import { TagsEntry } from './tags/tags-entry.tsx';
import { useCategoryIntent } from './use-category-intent.ts';
import { useLibrary } from './use-library.ts';
import { useOpenCategory, useOpenCategoryId } from './use-open-category.ts';

const loadRenameRow = () => import('./rename-row.tsx');
const RenameRow = lazyPart(loadRenameRow, (module) => module.RenameRow);

// Where somebody shares a folder.
const ReceivedFoldersHost = lazyPart(loadReceived, (module) => module.ReceivedFoldersHost);

export interface SidebarContentProps {
  readonly collapsed: boolean;
  readonly onNavigate: () => void;
}

/** What stands between the logo and the foot of the sidebar. */
export function SidebarContent({ collapsed, onNavigate }: SidebarContentProps) {
  const library = useLibrary();
  const inbox = library.categories.find((category) => category.is_inbox);
  const ask = useOrganiserDialogs();
  const goTo = useOpenCategory();
  const [activeCategoryId, setHeadedFor] = useActiveCategory();
  const folders = useTreeFolders(library.shelves);
  const arrival = useLastArrival();
  const intent = useCategoryIntent();
  const drops = useLibraryDrops();
  const stars = useStars();
  const addLock = describeFullPlan('maxCategories', useCategoryAllowance());
  useCloseOnArrival(activeCategoryId, onNavigate);
  useIdlePreload(loadRenameRow);

  const openCategory = (categoryId: string) => {
    onNavigate();
    setHeadedFor(categoryId);
    goTo(categoryId);
  };
  const answerRequests = () => ask({ kind: 'access-requests' });
  const newFolder = () => ask({ kind: 'folder', folder: null });
  const findFolder = (id: string) => library.folders.find((folder) => folder.id === id);
  const addCategory = (folderId: string) => {
    const folder = findFolder(folderId);
    if (folder) ask({ kind: 'category', folder, category: null });
  };
  const edit = (node: TreeNode) => {
    const folder = findFolder(node.folderId);
    const category = library.findCategory(node.id);
    if (folder && node.kind === 'folder') ask({ kind: 'folder', folder });
    else if (folder && category) ask({ kind: 'category', folder, category });
  };
  const move = (node: TreeNode) => {
    const category = library.findCategory(node.id);
    if (category) ask({ kind: 'move-category', category });
  };
  const remove = (node: TreeNode) => {
    const folder = findFolder(node.folderId);
    const category = library.findCategory(node.id);
    if (folder && node.kind === 'folder') ask({ kind: 'delete-folder', folder });
    else if (category) ask({ kind: 'delete-category', category });
  };

  if (collapsed) {
    return (
      <>
        <FolderRail
          folders={folders}
          onNewFolder={newFolder}
          onOpenCategory={openCategory}
          onAddCategory={addCategory}
          addLock={addLock}
        >
          <InboxHost inbox={inbox} collapsed onNavigate={onNavigate} />
          <FavoritesHost stars={stars} collapsed activeCategoryId={activeCategoryId} onOpen={openCategory} />
          <SavedSearchesHost collapsed onOpen={onNavigate} />
          <TagsEntry collapsed onNavigate={onNavigate} />
          <AccessRequestsHost collapsed onOpen={answerRequests} />
          <SharesOfOthers collapsed activeCategoryId={activeCategoryId} onOpen={openCategory} />
        </FolderRail>
        <DropTrayHost side="start" />
      </>
    );
  }
  return (
    <div className="flex flex-col gap-1 p-2" {...intent}>
      <Button variant="secondary" className="mx-1 mb-2" icon={<FolderPlus aria-hidden />} onClick={newFolder}>
        Nova Pasta
      </Button>
      <InboxHost inbox={inbox} collapsed={false} onNavigate={onNavigate} />
      <FavoritesHost
        stars={stars}
        collapsed={false}
        activeCategoryId={activeCategoryId}
        onOpen={openCategory}
      />
      <SavedSearchesHost collapsed={false} onOpen={onNavigate} />
      <TagsEntry collapsed={false} onNavigate={onNavigate} />
      <AccessRequestsHost collapsed={false} onOpen={answerRequests} />
      <SharesOfOthers collapsed={false} activeCategoryId={activeCategoryId} onOpen={openCategory} />
      {library.failed ? (
        <LoadError {...library.failed} onRetry={library.retry} />
      ) : library.loading ? (
        <FolderTreeSkeleton />
      ) : folders.length === 0 ? (
        <NoFolders />
      ) : (
        <FolderTree
          folders={folders}
          activeCategoryId={activeCategoryId}
          arrival={arrival}
          drops={drops}
          starredIds={stars.ids}
          onStar={({ id }) => stars.toggle({ kind: 'category', id })}
          onOpenCategory={openCategory}
          onAddCategory={addCategory}
          addLock={addLock}
          onEdit={edit}
          renderNameField={(node, end) => (
            <Suspense fallback={<span className="flex-1 truncate">{node.name}</span>}>
              <RenameRow key={node.id} node={node} onEnd={end} />
            </Suspense>
          )}
          onMove={move}
          onHistory={({ id, name }) => ask({ kind: 'history', category: { id, name } })}
          onShareFolder={({ id, name }) => ask({ kind: 'share-folder', folder: { id, name }, isOwn: true })}
          onDelete={remove}
        />
      )}
    </div>
  );
}

interface SharesOfOthersProps {
  readonly collapsed: boolean;
  readonly activeCategoryId: string | null;
  readonly onOpen: (categoryId: string) => void;
}

/** What others share; a plan that opens only so many says of the others why they stay closed. */
function SharesOfOthers({ collapsed, activeCategoryId, onOpen }: SharesOfOthersProps) {
  const received = useReceivedAccess();
  const { shares, folders, isRead, retry, folderOf, accessOf } = received;
  useTellReceivedLimit(received);
  const ask = useOrganiserDialogs();
  const acts = useReceivedActs();
  const isLimited = (categoryId: string) => accessOf(categoryId) === 'limited';
  const open = (categoryId: string) => {
    if (isLimited(categoryId)) ask({ kind: 'limited-access', categoryId });
    else onOpen(categoryId);
  };
  const state = { activeCategoryId, isRead, onRetry: retry, onOpen: open };
  if (collapsed) return <ReceivedRail shares={shares} {...state} />;
  return (
    <ReceivedShares
      shares={folders.length === 0 ? shares : shares.filter(({ id }) => !folderOf(id))}
      folders={
        folders.length === 0 ? null : (
          <Suspense>
            <ReceivedFoldersHost activeCategoryId={activeCategoryId} onOpen={onOpen} />
          </Suspense>
        )
      }
      folderCategoryIds={folders.flatMap(({ categories }) => categories.map(({ id }) => id))}
      {...state}
      isLimited={isLimited}
      onChoose={(categoryId) => void acts.choose(categoryId)}
      onLeave={(share) => void acts.leave(share)}
    />
  );
}

/** The row to highlight: from the press on the one that was pressed, then the category on the screen, whatever it is. */
function useActiveCategory() {
  const openId = useOpenCategoryId();
  const [press, setPress] = useState<{ readonly from: string | null; readonly to: string } | null>(null);
  if (press !== null && press.from !== openId) setPress(null);
  const headFor = (to: string) => setPress({ from: openId, to });
  return [press?.to ?? openId, headFor] as const;
}

/** Closes the drawer of a phone once another category is on the screen, however it got there. */
function useCloseOnArrival(activeCategoryId: string | null, close: () => void): void {
  const before = useRef(activeCategoryId);
  useEffect(() => {
    const arrived = activeCategoryId !== null && activeCategoryId !== before.current;
    before.current = activeCategoryId;
    if (arrived) close();
  }, [activeCategoryId, close]);
}

function useTreeFolders(shelves: ReturnType<typeof useLibrary>['shelves']): readonly TreeFolder[] {
  return useMemo(
    () =>
      shelves.map(({ folder, categories }) => ({
        id: folder.id,
        name: folder.name,
        categories: categories.map((category) => ({
          id: category.id,
          name: category.name,
          linkCount: category.link_count,
          sharing: sharingModeOf(category),
        })),
      })),
    [shelves],
  );
}

/** Says so when somebody shares one category more than the plan opens. What was shared before is no news. */
function useTellReceivedLimit({ shares, isRead, accessOf }: ReturnType<typeof useReceivedAccess>): void {
  const { plan } = usePlan();
  const tell = useReceivedLimitToast();
  const known = useRef<ReadonlySet<string> | null>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: how to tell is new in every render, what to tell is not
  useEffect(() => {
    if (!isRead || plan === null) return;
    const before = known.current;
    known.current = new Set(shares.map(({ id }) => id));
    if (before !== null && shares.some(({ id }) => !before.has(id) && accessOf(id) === 'limited')) tell();
  }, [shares, isRead, plan]);
}
