import { describeCategoryLimit, describeLinkLimit } from '@linkoteca/domain/messages/plan-messages';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { useUserId } from '../../../shared/lib/session/session-context.tsx';
import { toast } from '../../../shared/ui/feedback/toast.ts';
import { keepWaiting, type MetLimit, type WaitingRequest } from './waiting-request.ts';

/** What was counted or listed too low, or a plan that has become smaller, when the database refuses for lack of room. */
const OUTDATED = ['library-counts', 'subscription', 'categories', 'links', 'recent-links'] as const;

/** What happens where a plan has no room: what was typed is kept, and the way to go on with it. */
export function usePlanLimits() {
  const navigate = useNavigate();
  const { history } = useRouter();
  const queryClient = useQueryClient();
  const userId = useUserId();
  return {
    /** Says so, looks at what this screen did not know, and leads to the plans, where what was typed waits. Closing the form is the caller's. */
    stop: (limit: MetLimit, waiting: WaitingRequest) => {
      keepWaiting(userId, waiting, history.location.href, limit);
      const words = limit.of === 'maxLinks' ? describeLinkLimit(limit.max) : describeCategoryLimit(limit.max);
      // Nothing failed, and nothing is lost: it is told quietly.
      toast.info(words.title, words.description);
      for (const name of OUTDATED) void queryClient.invalidateQueries({ queryKey: [name] });
      void navigate({ to: '/plans' });
    },
    /** To the plans, from where it goes on. */
    leaveForPlans: (waiting: WaitingRequest) => {
      keepWaiting(userId, waiting, history.location.href);
      void navigate({ to: '/plans' });
    },
  };
}
