import { formatCount } from '@linkoteca/domain/formats';
import { PLAN_MESSAGES } from '@linkoteca/domain/messages/plan-messages';
import { RECEIVED_SHARE_MESSAGES, SHARING_MESSAGES } from '@linkoteca/domain/messages/sharing-messages';
import { useNavigate } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useCategoryAllowance } from '../../../features/account/api/usage.ts';
import { useBeginShowSharing } from '../../../features/categories/api/show-sharing.ts';
import { CategoryDialog } from '../../../features/categories/components/category-dialog.tsx';
import type { ListedCategory } from '../../../features/categories/model/category-rows.ts';
import { FolderDialog } from '../../../features/folders/components/folder-dialog.tsx';
import { RenameSearchDialog } from '../../../features/saved-searches/components/rename-search-dialog.tsx';
import type { SavedSearch } from '../../../features/saved-searches/model/saved-search-rows.ts';
import { SharingDialog } from '../../../features/sharing/components/sharing-dialog.tsx';
import { lazyPart } from '../../../shared/lib/browser/lazy-part.tsx';
import type { Category } from '../../../shared/lib/rows.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { ConfirmDialog } from '../../../shared/ui/dialogs/confirm-dialog.tsx';
import { FolderSpine } from '../../../shared/ui/folder-spine.tsx';
import { PickDialog } from '../../../shared/ui/pickers/pick-dialog.tsx';
import { usePlanLimits } from '../limits/use-plan-limits.ts';
import type { WaitingRequest } from '../limits/waiting-request.ts';
import { useCategoryMoving } from '../moving/use-category-moving.ts';
import { useReceivedActs } from '../received/use-received-acts.ts';
import { useSavedSearchActs } from '../saved-searches/use-saved-search-acts.ts';
import { LeaveFolderDialog } from '../shared-folders/leave-folder-dialog.tsx';
import { ShareFolderHost } from '../shared-folders/share-folder-host.tsx';
import { TagLinksDialog } from '../tags/tag-links-dialog.tsx';
import { useLibrary } from '../use-library.ts';
import { useLibraryCounting } from '../use-library-counting.ts';
import { useSharingGate } from '../use-sharing-gate.ts';
import { AddLinkHost } from './add-link-host.tsx';
import { DeleteCategoryDialog } from './delete-category-dialog.tsx';
import { DeleteFolderDialog } from './delete-folder-dialog.tsx';
import { MoveLinksDialog } from './move-links-dialog.tsx';
import type { OrganiserRequest } from './organiser-dialogs-context.ts';

const FeedDialog = lazyPart(
  () => import('../../../features/feeds/components/feed-dialog.tsx'),
  (module) => module.FeedDialog,
);

const AccessRequestsDialog = lazyPart(
  () => import('../../../features/sharing/components/access-requests-dialog.tsx'),
  (module) => module.AccessRequestsDialog,
);

const HistoryDialog = lazyPart(
  () => import('../../../features/history/components/history-dialog.tsx'),
  (module) => module.HistoryDialog,
);

const NewSharedCategoryDialog = lazyPart(
  () => import('../shared-folders/new-shared-category-dialog.tsx'),
  (module) => module.NewSharedCategoryDialog,
);

interface OrganiserDialogHostProps {
  readonly request: OrganiserRequest;
  readonly open: boolean;
  readonly onClose: () => void;
}

/** The dialog that was asked for, with what it needs of the library around it. */
export function OrganiserDialogHost({ request, open, onClose }: OrganiserDialogHostProps) {
  const library = useLibrary();
  const counting = useLibraryCounting();
  const common = { open, onClose };

  switch (request.kind) {
    case 'folder':
      return (
        <FolderDialog
          {...common}
          folder={request.folder}
          folders={library.folders}
          beginCount={counting.newFolder}
        />
      );
    case 'category':
      return <CategoryHost {...common} folder={request.folder} category={request.category} />;
    case 'add-link':
    case 'paste-links':
      return <AddLinkHost {...common} request={request} />;
    case 'delete-folder':
      return <DeleteFolderDialog {...common} folder={request.folder} />;
    case 'share-folder':
      return <ShareFolderHost {...common} folder={request.folder} isOwn={request.isOwn} />;
    case 'leave-folder':
      return <LeaveFolderDialog {...common} folder={request.folder} />;
    case 'shared-category':
      return (
        <Suspense>
          <NewSharedCategoryDialog {...common} folder={request.folder} />
        </Suspense>
      );
    case 'delete-category':
      return <DeleteCategoryDialog {...common} category={request.category} />;
    case 'move-links':
      return <MoveLinksDialog {...common} request={request.move} />;
    case 'tag-links':
      return (
        <TagLinksDialog {...common} links={request.links} shared={request.shared} onDone={request.onDone} />
      );
    case 'move-category':
      return <MoveCategoryDialog {...common} category={request.category} />;
    case 'share':
      return <ShareCategoryDialog {...common} category={request.category} canExtend={request.canExtend} />;
    case 'rename-search':
      return <RenameSearchHost {...common} search={request.search} />;
    case 'history':
      return (
        <Suspense>
          <HistoryDialog {...common} category={request.category} ofMembers={request.ofMembers === true} />
        </Suspense>
      );
    case 'feed':
      return (
        <Suspense>
          <FeedDialog {...common} subject={request.subject} name={request.name} />
        </Suspense>
      );
    case 'access-requests':
      return <AccessRequestsDialogHost {...common} />;
    case 'limited-access':
      return <LimitedAccessDialog {...common} categoryId={request.categoryId} />;
  }
}

function AccessRequestsDialogHost(props: { readonly open: boolean; readonly onClose: () => void }) {
  return (
    <Suspense>
      <AccessRequestsDialog {...props} onGate={useSharingGate()} />
    </Suspense>
  );
}

interface RenameSearchHostProps {
  readonly open: boolean;
  readonly search: SavedSearch;
  readonly onClose: () => void;
}

function RenameSearchHost({ search, ...common }: RenameSearchHostProps) {
  const { rename } = useSavedSearchActs();
  return <RenameSearchDialog {...common} search={search} onRename={(name) => rename(search, name)} />;
}

interface CategoryHostProps {
  readonly open: boolean;
  readonly folder: { readonly id: string; readonly name: string };
  readonly category: Category | null;
  readonly onClose: () => void;
}

/** The form of a category with the room that the plan has, and where it leads. */
function CategoryHost({ open, folder, category, onClose }: CategoryHostProps) {
  const { newCategory } = useLibraryCounting();
  const { stop, leaveForPlans } = usePlanLimits();
  const allowance = useCategoryAllowance();
  const navigate = useNavigate();
  const waiting = (draftKey: string): WaitingRequest => ({
    kind: 'category',
    draftKey,
    folder: { id: folder.id, name: folder.name },
  });
  return (
    <CategoryDialog
      open={open}
      category={category}
      folder={folder}
      beginCount={newCategory}
      allowance={allowance}
      onClose={onClose}
      onSaved={(categoryId) => {
        onClose();
        if (category === null) void navigate({ to: '/category/$categoryId', params: { categoryId } });
      }}
      onLimit={(max, draftKey) => {
        onClose();
        stop({ of: 'maxCategories', max }, waiting(draftKey));
      }}
      onSeePlans={(draftKey) => {
        onClose();
        leaveForPlans(waiting(draftKey));
      }}
    />
  );
}

interface ShareCategoryDialogProps {
  readonly open: boolean;
  readonly category: ListedCategory;
  readonly canExtend: boolean;
  readonly onClose: () => void;
}

/** Sharing with what it changes in the library around it. */
export function ShareCategoryDialog(props: ShareCategoryDialogProps) {
  return <SharingDialog {...props} beginShow={useBeginShowSharing()} onGate={useSharingGate()} />;
}

interface LimitedAccessDialogProps {
  readonly open: boolean;
  readonly categoryId: string;
  readonly onClose: () => void;
}

/** A free plan opens only one category shared with the person: another plan opens all of them, or this one takes its place. */
export function LimitedAccessDialog({ open, categoryId, onClose }: LimitedAccessDialogProps) {
  const navigate = useNavigate();
  const { choose, choosing } = useReceivedActs();
  return (
    <ConfirmDialog
      open={open}
      tone="primary"
      title={SHARING_MESSAGES.limitedAccess}
      description={SHARING_MESSAGES.limitedAccessReason}
      confirmLabel={PLAN_MESSAGES.seePlans}
      onCancel={onClose}
      onConfirm={() => {
        onClose();
        void navigate({ to: '/plans' });
      }}
    >
      <p className="mt-3 text-base text-ink-soft">{RECEIVED_SHARE_MESSAGES.chooseReason}</p>
      <Button
        className="mt-3 max-md:h-11 max-md:w-full"
        busy={choosing}
        onClick={() => void choose(categoryId).then(onClose)}
      >
        {RECEIVED_SHARE_MESSAGES.choose}
      </Button>
    </ConfirmDialog>
  );
}

interface MoveCategoryDialogProps {
  readonly open: boolean;
  readonly category: Category;
  readonly onClose: () => void;
}

/** 'Mover categoria': to which folder? Choosing moves. */
export function MoveCategoryDialog({ open, category, onClose }: MoveCategoryDialogProps) {
  const { shelves } = useLibrary();
  const move = useCategoryMoving();
  const options = shelves.map(({ folder, categories }) => {
    const current = folder.id === category.folder_id;
    return {
      id: folder.id,
      name: folder.name,
      detail: current ? 'Pasta atual' : formatCount(categories.length, 'categoria', 'categorias'),
      disabled: current,
      icon: <FolderSpine folderId={folder.id} />,
    };
  });
  return (
    <PickDialog
      open={open}
      onClose={onClose}
      title="Mover categoria"
      description={category.name}
      label="Buscar pasta"
      listLabel="Pastas"
      groups={[{ label: '', options }]}
      emptyText="Nenhuma pasta encontrada"
      onPick={(folderId) => {
        onClose();
        void move(category.id, folderId);
      }}
    />
  );
}
