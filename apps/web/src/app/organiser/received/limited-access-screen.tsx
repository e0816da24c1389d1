import { PLAN_MESSAGES } from '@linkoteca/domain/messages/plan-messages';
import { RECEIVED_SHARE_MESSAGES, SHARING_MESSAGES } from '@linkoteca/domain/messages/sharing-messages';
import { Link } from '@tanstack/react-router';
import { Lock } from 'lucide-react';
import { useAccessPoll } from '../../../features/categories/api/use-access-poll.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { buttonClassName } from '../../../shared/ui/button-class-name.ts';
import { EmptyState } from '../../../shared/ui/feedback/empty-state.tsx';
import { useReceivedActs } from './use-received-acts.ts';

/** Stands in place of a shared category that the plan does not open, when someone comes by its address. */
export function LimitedAccessScreen({ categoryId }: { readonly categoryId: string }) {
  useAccessPoll(categoryId);
  const { choose, choosing } = useReceivedActs();
  return (
    <EmptyState
      icon={<Lock aria-hidden />}
      heading={1}
      title={SHARING_MESSAGES.limitedAccess}
      description={SHARING_MESSAGES.limitedAccessReason}
      action={
        <div className="flex flex-wrap justify-center gap-2">
          <Link to="/dashboard" className={buttonClassName()}>
            Cancelar
          </Link>
          <Button busy={choosing} onClick={() => void choose(categoryId)}>
            {RECEIVED_SHARE_MESSAGES.choose}
          </Button>
          <Link to="/plans" className={buttonClassName('primary')}>
            {PLAN_MESSAGES.seePlans}
          </Link>
        </div>
      }
    />
  );
}
