import { FOLDER_SHARING_MESSAGES as words } from '@linkoteca/domain/messages/folder-sharing-messages';
import { useState } from 'react';
import { useLeaveFolder } from '../../../features/categories/api/leave-folder.ts';
import type { ReceivedFolder } from '../../../features/categories/api/list-received-folders.ts';
import { describeError } from '../../../shared/lib/describe-error.ts';
import { ConfirmDialog } from '../../../shared/ui/dialogs/confirm-dialog.tsx';
import { toast } from '../../../shared/ui/feedback/toast.ts';
import { useLeaveCategory } from '../use-leave-category.ts';

interface LeaveFolderDialogProps {
  readonly open: boolean;
  readonly folder: ReceivedFolder;
  readonly onClose: () => void;
}

/** 'Sair da pasta?' It is asked, because nobody comes back by themselves. */
export function LeaveFolderDialog({ open, folder, onClose }: LeaveFolderDialogProps) {
  const { mutateAsync } = useLeaveFolder();
  const leaveScreen = useLeaveCategory();
  const [busy, setBusy] = useState(false);
  const leave = async () => {
    setBusy(true);
    const reopen = leaveScreen(folder.categories.map(({ id }) => id));
    try {
      await mutateAsync(folder.id);
      toast.success(words.left, folder.name);
    } catch (error) {
      reopen();
      toast.error(words.leaveFailed, describeError(error, 'Tente de novo em instantes.'));
    }
    onClose();
  };
  return (
    <ConfirmDialog
      open={open}
      title={words.leaveTitle}
      description={words.leaveReason}
      confirmLabel={words.leave}
      busy={busy}
      onCancel={onClose}
      onConfirm={() => void leave()}
    />
  );
}
