import { ACCOUNT_LIFE_MESSAGES } from '@linkoteca/domain/messages/account-life-messages';
import { useEffect, useState } from 'react';
import { describeError } from '../../../shared/lib/describe-error.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Notice } from '../../../shared/ui/notice.tsx';
import { toast } from '../../../shared/ui/toast.ts';

const words = ACCOUNT_LIFE_MESSAGES.deletion;

/** A way to sign in that leads back here. Rejects when it cannot leave. */
export interface FreshSignIn {
  readonly way: 'google' | 'login';
  readonly leave: () => Promise<void>;
}

const labels = {
  google: { name: words.confirmWithGoogle, busy: words.openingGoogle },
  login: { name: words.leaveAndSignIn, busy: words.leaving },
} as const;

/** Says that the last sign-in is too old to delete an account with, and offers the way to a fresh one. */
export function SignInAgain({ way, leave }: FreshSignIn) {
  const [leaving, setLeaving] = useState(false);
  const start = async () => {
    setLeaving(true);
    try {
      // On success the page is already on its way elsewhere: the button stays busy.
      await leave();
    } catch (error) {
      toast.error(words.failed, describeError(error, words.signInAgain));
      setLeaving(false);
    }
  };
  // Who comes back by the browser's own button finds the dialog as it was left.
  useEffect(() => {
    const rest = () => setLeaving(false);
    window.addEventListener('pageshow', rest);
    return () => window.removeEventListener('pageshow', rest);
  }, []);
  const { name, busy } = labels[way];
  return (
    <Notice
      tone="danger"
      action={
        <Button size="small" busy={leaving} busyLabel={busy} onClick={() => void start()}>
          {name}
        </Button>
      }
    >
      {words.signInAgain}. {words.signInAgainHow}
    </Notice>
  );
}
