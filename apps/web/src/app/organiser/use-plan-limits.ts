import {
  describeCategoryLimit,
  describeLinkLimit,
  type Notice,
} from '@linkoteca/domain/messages/plan-messages';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { toast } from '../../shared/ui/feedback/toast.ts';

/** What was counted or listed too low, or a plan that has become smaller, when the database refuses for lack of room. */
const OUTDATED = ['library-counts', 'subscription', 'categories', 'links', 'recent-links'] as const;

/** What happens where a plan has no room: its words, the way to the plans, and a look at what this screen did not know. */
export function usePlanLimits() {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const stop = ({ title, description }: Notice) => {
    toast.error(title, description);
    for (const name of OUTDATED) void queryClient.invalidateQueries({ queryKey: [name] });
    void navigate({ to: '/plans' });
  };
  return {
    stopAtLinkLimit: (max: number) => stop(describeLinkLimit(max)),
    stopAtCategoryLimit: (max: number) => stop(describeCategoryLimit(max)),
  };
}
