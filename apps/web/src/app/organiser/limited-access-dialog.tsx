import { PLAN_MESSAGES } from '@linkoteca/domain/plan-messages';
import { SHARING_MESSAGES } from '@linkoteca/domain/sharing-messages';
import { useNavigate } from '@tanstack/react-router';
import { ConfirmDialog } from '../../shared/ui/confirm-dialog.tsx';

interface LimitedAccessDialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
}

/** A free plan opens only the earliest category shared with the person. */
export function LimitedAccessDialog({ open, onClose }: LimitedAccessDialogProps) {
  const navigate = useNavigate();
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
    />
  );
}
