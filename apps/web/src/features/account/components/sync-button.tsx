import { BILLING_MESSAGES } from '@linkoteca/domain/billing-messages';
import { RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { log } from '../../../shared/lib/log.ts';
import { useSingleFlight } from '../../../shared/lib/use-single-flight.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { toast } from '../../../shared/ui/toast.ts';
import { describePaymentFailure } from '../api/describe-payment-failure.ts';
import { useSyncSubscription } from '../api/use-sync-subscription.ts';

/** 'Sincronizar': compares the subscription with the payment provider now. */
export function SyncButton() {
  const sync = useSyncSubscription();
  const [busy, setBusy] = useState(false);
  const press = useSingleFlight(async () => {
    setBusy(true);
    try {
      await sync();
      toast.success(BILLING_MESSAGES.synced);
    } catch (error) {
      log.warn('the subscription could not be compared', error);
      toast.error(BILLING_MESSAGES.subscriptionUpdateFailed, describePaymentFailure(error, ''));
    } finally {
      setBusy(false);
    }
  });
  return (
    <Button
      variant="quiet"
      busy={busy}
      busyLabel={BILLING_MESSAGES.syncing}
      icon={<RefreshCw aria-hidden className={busy ? 'animate-spin' : undefined} />}
      onClick={() => void press(undefined)}
    >
      {BILLING_MESSAGES.sync}
    </Button>
  );
}
