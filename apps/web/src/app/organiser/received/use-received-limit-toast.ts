import { PLAN_MESSAGES } from '@linkoteca/domain/messages/plan-messages';
import { SHARING_MESSAGES } from '@linkoteca/domain/messages/sharing-messages';
import { useNavigate } from '@tanstack/react-router';
import { toast } from '../../../shared/ui/feedback/toast.ts';

/** Says that the plan receives no more shared categories, with the way to the plans. */
export function useReceivedLimitToast(): () => void {
  const navigate = useNavigate();
  return () => {
    const { title, description } = SHARING_MESSAGES.receivedLimit;
    toast.info(title, description, {
      id: 'received-limit',
      action: { label: PLAN_MESSAGES.upgrade, onPress: () => void navigate({ to: '/plans' }) },
    });
  };
}
