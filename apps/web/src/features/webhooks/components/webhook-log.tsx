import { formatMoment } from '@linkoteca/domain/dates';
import { useId, useState } from 'react';
import { describeRefusal } from '../../../shared/lib/describe-refusal.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { LoadError } from '../../../shared/ui/feedback/load-error.tsx';
import { Skeleton } from '../../../shared/ui/feedback/skeleton.tsx';
import { toast } from '../../../shared/ui/feedback/toast.ts';
import { useWebhookDeliveries, type WebhookDelivery } from '../api/webhook-deliveries.ts';
import { useResendDelivery, type Webhook } from '../api/webhooks.ts';
import { describeDelivery, nameEvent, WEBHOOK_MESSAGES as TEXT } from '../model/webhook-messages.ts';

/** What was sent to a webhook, and what became of it. */
export function WebhookLog({ webhook }: { readonly webhook: Webhook }) {
  const log = useWebhookDeliveries(webhook.id);
  const resend = useResendDelivery();
  const [sending, setSending] = useState<string | null>(null);
  if (log.isPending) return <Skeleton className="mt-3 h-10 w-full" />;
  if (log.data === undefined)
    return (
      <LoadError
        title={TEXT.logLoadFailed}
        description={TEXT.loadFailedWhy}
        onRetry={() => void log.refetch()}
      />
    );
  const deliveries = log.data.pages.flat();
  if (deliveries.length === 0) return <p className="mt-3 text-sm text-ink-soft">{TEXT.logNone}</p>;
  const sendAgain = async (id: string) => {
    if (sending !== null) return;
    setSending(id);
    try {
      await resend.mutateAsync(id);
      toast.success(TEXT.resent);
    } catch (error) {
      toast.error(describeRefusal(error, TEXT.resendFailed));
    } finally {
      setSending(null);
    }
  };
  return (
    <div className="mt-3 flex flex-col gap-2">
      <ul aria-label={TEXT.log} className="rounded-lg bg-sunken px-3">
        {deliveries.map((delivery) => (
          <DeliveryRow
            key={delivery.id}
            delivery={delivery}
            resendable={webhook.off_at === null}
            busy={sending === delivery.id}
            onResend={() => void sendAgain(delivery.id)}
          />
        ))}
      </ul>
      {log.hasNextPage ? (
        <Button
          size="small"
          variant="quiet"
          className="self-start"
          busy={log.isFetchingNextPage}
          onClick={() => void log.fetchNextPage()}
        >
          {TEXT.older}
        </Button>
      ) : null}
    </div>
  );
}

interface DeliveryRowProps {
  readonly delivery: WebhookDelivery;
  readonly resendable: boolean;
  readonly busy: boolean;
  readonly onResend: () => void;
}

function DeliveryRow({ delivery, resendable, busy, onResend }: DeliveryRowProps) {
  const nameId = useId();
  const now = new Date();
  const next = delivery.next_at === null ? null : formatMoment(new Date(delivery.next_at), now);
  const failed = delivery.state !== 'delivered' && delivery.attempts > 0;
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line py-2 last:border-b-0">
      <div className="min-w-0 flex-1 basis-48">
        <p id={nameId} className="truncate text-sm text-ink">
          {nameEvent(delivery.type)}
          {delivery.subject === null ? null : ` · ${delivery.subject}`}
        </p>
        <p className={failed ? 'text-sm text-danger-text' : 'text-sm text-ink-soft'}>
          {`${formatMoment(new Date(delivery.created_at), now)} · ${describeDelivery(delivery, next)}`}
        </p>
      </div>
      {resendable && (delivery.state !== 'waiting' || delivery.attempts > 0) ? (
        <Button
          size="small"
          variant="quiet"
          busy={busy}
          busyLabel={TEXT.resending}
          aria-describedby={nameId}
          onClick={onResend}
        >
          {TEXT.resend}
        </Button>
      ) : null}
    </li>
  );
}
