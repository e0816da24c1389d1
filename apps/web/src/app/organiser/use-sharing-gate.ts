import { SHARING_MESSAGES, SHARING_WORDS } from '@linkoteca/domain/messages/sharing-messages';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { toast } from '../../shared/ui/feedback/toast.ts';

/**
 * What happens where the plan does not share, nor import and export: its words, and the way to the plans.
 * @param reason what the plan does not have, a whole sentence.
 */
export function useSharingGate(reason: string = SHARING_WORDS.gateReason): () => void {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  return () => {
    // Nothing failed: it is told quietly.
    toast.info(SHARING_MESSAGES.unavailable, reason, {
      action: { label: SHARING_WORDS.upgrade, onPress: () => void navigate({ to: '/plans' }) },
    });
    // The plan, or the category, is not what this screen thought.
    for (const name of ['subscription', 'categories'])
      void queryClient.invalidateQueries({ queryKey: [name] });
  };
}
