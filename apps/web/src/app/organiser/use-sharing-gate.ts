import { SHARING_MESSAGES } from '@linkoteca/domain/sharing-messages';
import { SHARING_WORDS } from '@linkoteca/domain/sharing-words';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { toast } from '../../shared/ui/toast.ts';

/** What happens where the plan does not share: its words, and the way to the plans. */
export function useSharingGate(): () => void {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  return () => {
    toast.error(SHARING_MESSAGES.unavailable, SHARING_WORDS.gateReason, {
      action: { label: SHARING_WORDS.upgrade, onPress: () => void navigate({ to: '/plans' }) },
    });
    // The plan, or the category, is not what this screen thought.
    for (const name of ['subscription', 'categories'])
      void queryClient.invalidateQueries({ queryKey: [name] });
  };
}
