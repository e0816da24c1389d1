import { PLAN_MESSAGES } from '@linkoteca/domain/plan-messages';
import { RECEIVED_SHARE_MESSAGES } from '@linkoteca/domain/received-share-messages';
import { SHARING_MESSAGES } from '@linkoteca/domain/sharing-messages';
import { useNavigate } from '@tanstack/react-router';
import { Button } from '../../shared/ui/button.tsx';
import { ConfirmDialog } from '../../shared/ui/confirm-dialog.tsx';
import { useReceivedActs } from './use-received-acts.ts';

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
