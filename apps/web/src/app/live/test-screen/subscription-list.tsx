import { Badge } from '../../../shared/ui/badge.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { VisuallyHidden } from '../../../shared/ui/visually-hidden.tsx';
import { useLiveStore, useLiveView } from '../live-context.tsx';
import type { LiveSubscription } from '../live-store.ts';
import { describeTable, TEST_REALTIME_MESSAGES as WORDS } from '../realtime-messages.ts';

const STATUS = {
  live: { tone: 'accent', word: WORDS.live },
  waiting: { tone: 'warning', word: WORDS.waiting },
  cancelled: { tone: 'neutral', word: WORDS.cancelled },
} as const;

/** What is listened to; each may be cancelled and resumed alone, or all at once. */
export function SubscriptionList() {
  const { subscriptions } = useLiveView();
  const control = useLiveStore().getControl();
  if (control === null) return null;
  return (
    <>
      <ul className="divide-y divide-line">
        {subscriptions.map((subscription) => (
          <Row
            key={subscription.name}
            subscription={subscription}
            onCancel={() => control.cancel(subscription.name)}
            onResume={() => control.resume(subscription.name)}
          />
        ))}
      </ul>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button onClick={control.cancelAll}>{WORDS.cancelAll}</Button>
        <Button onClick={control.resumeAll}>{WORDS.resumeAll}</Button>
      </div>
    </>
  );
}

interface RowProps {
  readonly subscription: LiveSubscription;
  readonly onCancel: () => void;
  readonly onResume: () => void;
}

function Row({ subscription: { name, status }, onCancel, onResume }: RowProps) {
  const label = describeTable(name);
  const off = status === 'cancelled';
  return (
    <li className="flex min-h-11 items-center gap-3 py-1">
      <span className="min-w-0 flex-1 truncate text-base">{label}</span>
      <Badge tone={STATUS[status].tone}>{STATUS[status].word}</Badge>
      <Button variant="quiet" onClick={off ? onResume : onCancel}>
        {off ? WORDS.resume : WORDS.cancel} <VisuallyHidden>{label}</VisuallyHidden>
      </Button>
    </li>
  );
}
