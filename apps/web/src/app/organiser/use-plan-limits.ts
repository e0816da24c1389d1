import { describeCategoryLimit, describeLinkLimit, type Notice } from '@linkoteca/domain/plan-messages';
import { useNavigate } from '@tanstack/react-router';
import { toast } from '../../shared/ui/toast.ts';

/** What happens where a plan has no room: its words, and the way to the plans. */
export function usePlanLimits() {
  const navigate = useNavigate();
  const stop = ({ title, description }: Notice) => {
    toast.error(title, description);
    void navigate({ to: '/plans' });
  };
  return {
    stopAtLinkLimit: (max: number) => stop(describeLinkLimit(max)),
    stopAtCategoryLimit: (max: number) => stop(describeCategoryLimit(max)),
  };
}
