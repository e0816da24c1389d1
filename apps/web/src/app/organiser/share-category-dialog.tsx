import { useBeginShowSharing } from '../../features/categories/api/show-sharing.ts';
import type { ListedCategory } from '../../features/categories/model/category-rows.ts';
import { SharingDialog } from '../../features/sharing/components/sharing-dialog.tsx';
import { useSharingGate } from './use-sharing-gate.ts';

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
