import { RECHECK_PAUSES_MS } from '@linkoteca/domain/limits';
import { isPlanId, PLANS } from '@linkoteca/domain/plans';
import { useLocation, useRouter } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { log } from '../../../shared/lib/log.ts';
import { toast } from '../../../shared/ui/feedback/toast.ts';
import { useSyncSubscription } from '../api/change-subscription.ts';
import { BILLING_MESSAGES, PAYMENT_RETURN_MESSAGES } from './billing-messages.ts';

/**
 * Answers the provider's return (specification, section 4): after a payment the subscription is checked three times, then a
 * toast tells how it stands; then the parameters leave the address, so that a reload repeats nothing. Resolves to what is being
 * answered now. Whoever goes on to another screen meanwhile is told there.
 */
export function usePaymentReturn(): PaymentReturn | null {
  const { history } = useRouter();
  const search = useLocation({ select: ({ href }) => href.replace(/^[^?#]*/, '').replace(/#.*$/, '') });
  const returned = readPaymentReturn(search);
  const sync = useSyncSubscription();
  const answering = useRef(false);

  useEffect(() => {
    if (returned === null || answering.current) return;
    answering.current = true;
    const answer = async () => {
      if (returned === 'success') await confirmPayment(sync);
      else toast.info(PAYMENT_RETURN_MESSAGES.canceled.title, PAYMENT_RETURN_MESSAGES.canceled.description);
      answering.current = false;
      const { href } = history.location;
      const without = removePaymentReturn(href);
      if (without !== href) history.replace(without);
    };
    void answer();
  }, [returned, sync, history]);

  return returned;
}

async function confirmPayment(sync: () => Promise<string | null>): Promise<void> {
  let plan: string | null = null;
  let answered = false;
  for (const pause of RECHECK_PAUSES_MS) {
    if (pause > 0) await new Promise((resume) => setTimeout(resume, pause));
    try {
      plan = await sync();
      answered = true;
    } catch (error) {
      log.warn('the payment could not be confirmed yet', error);
    }
  }
  const { confirmed, pending, unknown } = PAYMENT_RETURN_MESSAGES;
  if (isPlanId(plan)) {
    const { title, description } = confirmed(PLANS[plan].name);
    toast.success(title, description);
  } else if (answered) toast.success(pending.title, pending.description);
  else toast.error(BILLING_MESSAGES.subscriptionUpdateFailed, unknown);
}

type PaymentReturn = 'success' | 'canceled';

/** Whether an address comes back from the provider: `?success=true` or `?canceled=true`; a payment made wins. */
export function readPaymentReturn(search: string): PaymentReturn | null {
  const words = new URLSearchParams(search);
  if (words.get('success') === 'true') return 'success';
  return words.get('canceled') === 'true' ? 'canceled' : null;
}

/** The same address without both parameters; every other one stays as it was written. */
export function removePaymentReturn(href: string): string {
  const [, path = '', search = '', hash = ''] = /^([^?#]*)(\?[^#]*)?(#.*)?$/.exec(href) ?? [];
  const kept = search
    .slice(1)
    .split('&')
    .filter((pair) => pair !== '' && !/^(success|canceled)(=|$)/.test(pair));
  return `${path}${kept.length > 0 ? `?${kept.join('&')}` : ''}${hash}`;
}
