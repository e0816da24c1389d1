import { PLAN_MESSAGES } from '@linkoteca/domain/plan-messages';
import { SHARING_MESSAGES } from '@linkoteca/domain/sharing-messages';
import { Link } from '@tanstack/react-router';
import { Lock } from 'lucide-react';
import { buttonClassName } from '../../shared/ui/button-class-name.ts';
import { EmptyState } from '../../shared/ui/empty-state.tsx';

/** Stands in place of a shared category that the plan does not open, when someone comes by its address. */
export function LimitedAccessScreen() {
  return (
    <EmptyState
      icon={<Lock aria-hidden />}
      heading={1}
      title={SHARING_MESSAGES.limitedAccess}
      description={SHARING_MESSAGES.limitedAccessReason}
      action={
        <div className="flex gap-2">
          <Link to="/dashboard" className={buttonClassName()}>
            Cancelar
          </Link>
          <Link to="/plans" className={buttonClassName('primary')}>
            {PLAN_MESSAGES.seePlans}
          </Link>
        </div>
      }
    />
  );
}
