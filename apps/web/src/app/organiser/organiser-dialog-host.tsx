import { useNavigate } from '@tanstack/react-router';
import { CategoryDialog } from '../../features/categories/components/category-dialog.tsx';
import { FolderDialog } from '../../features/folders/components/folder-dialog.tsx';
import { AddLinkHost } from './add-link-host.tsx';
import { DeleteCategoryDialog } from './delete-category-dialog.tsx';
import { DeleteFolderDialog } from './delete-folder-dialog.tsx';
import { LimitedAccessDialog } from './limited-access-dialog.tsx';
import { MoveCategoryDialog } from './move-category-dialog.tsx';
import { MoveLinksDialog } from './move-links-dialog.tsx';
import {
  type AddLinkRequest,
  type OrganiserRequest,
  useOrganiserDialogs,
} from './organiser-dialogs-context.ts';
import { ShareCategoryDialog } from './share-category-dialog.tsx';
import { useLibrary } from './use-library.ts';
import { useLibraryCounting } from './use-library-counting.ts';
import { usePlanLimits } from './use-plan-limits.ts';

interface OrganiserDialogHostProps {
  readonly request: OrganiserRequest;
  readonly open: boolean;
  readonly onClose: () => void;
}

/** The dialog that was asked for, with what it needs of the library around it. */
export function OrganiserDialogHost({ request, open, onClose }: OrganiserDialogHostProps) {
  const library = useLibrary();
  const counting = useLibraryCounting();
  const limits = usePlanLimits();
  const navigate = useNavigate();
  const ask = useOrganiserDialogs();
  const common = { open, onClose };
  const leaveFor = (next: AddLinkRequest | undefined) => () => {
    onClose();
    if (next) ask(next);
  };

  switch (request.kind) {
    case 'folder':
      return (
        <FolderDialog
          {...common}
          folder={request.folder}
          takenNames={library.folders.filter(({ id }) => id !== request.folder?.id).map(({ name }) => name)}
          beginCount={counting.newFolder}
          onClose={leaveFor(request.next)}
          onCreated={
            request.next
              ? (folder) => ask({ kind: 'category', folder, category: null, next: request.next })
              : undefined
          }
        />
      );
    case 'category':
      return (
        <CategoryDialog
          {...common}
          category={request.category}
          folder={request.folder}
          beginCount={counting.newCategory}
          onClose={leaveFor(request.next)}
          onSaved={(categoryId) => {
            onClose();
            if (request.category === null)
              void navigate({ to: '/category/$categoryId', params: { categoryId } }).then(() => {
                if (request.next) ask({ ...request.next, categoryId });
              });
          }}
          onLimit={(max) => {
            onClose();
            limits.stopAtCategoryLimit(max);
          }}
        />
      );
    case 'add-link':
    case 'paste-links':
      return <AddLinkHost {...common} request={request} />;
    case 'delete-folder':
      return <DeleteFolderDialog {...common} folder={request.folder} />;
    case 'delete-category':
      return <DeleteCategoryDialog {...common} category={request.category} />;
    case 'move-links':
      return <MoveLinksDialog {...common} request={request.move} />;
    case 'move-category':
      return <MoveCategoryDialog {...common} category={request.category} />;
    case 'share':
      return <ShareCategoryDialog {...common} category={request.category} canExtend={request.canExtend} />;
    case 'limited-access':
      return <LimitedAccessDialog {...common} categoryId={request.categoryId} />;
  }
}
