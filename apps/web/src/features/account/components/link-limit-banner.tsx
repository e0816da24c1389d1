import { PLAN_MESSAGES } from '@linkoteca/domain/messages/plan-messages';
import { Link, useLocation } from '@tanstack/react-router';
import { buttonClassName } from '../../../shared/ui/button-class-name.ts';
import { Notice } from '../../../shared/ui/feedback/notice.tsx';
import { useLinkUsage } from '../api/usage.ts';

/** Shown while 0 to 2 links remain; never on an unlimited plan. Leads to the plans from anywhere else. */
export function LinkLimitBanner() {
  const usage = useLinkUsage();
  const isThere = useLocation({ select: ({ pathname }) => pathname === '/plans' });
  if (!usage?.warning) return null;
  return (
    <Notice
      tone="warning"
      action={
        isThere ? undefined : (
          <Link to="/plans" className={buttonClassName('secondary', 'small')}>
            {PLAN_MESSAGES.seePlans}
          </Link>
        )
      }
    >
      <strong className="font-semibold">{usage.warning}</strong> {PLAN_MESSAGES.bannerAdvice}
    </Notice>
  );
}
