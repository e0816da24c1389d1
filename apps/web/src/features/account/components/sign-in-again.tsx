import { ACCOUNT_LIFE_MESSAGES } from '@linkoteca/domain/messages/account-life-messages';
import { PROVIDER_MESSAGES } from '@linkoteca/domain/messages/provider-messages';
import { useEffect, useState } from 'react';
import { describeError } from '../../../shared/lib/describe-error.ts';
import type { SignInProvider } from '../../../shared/sign-in/sign-in-providers.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { Notice } from '../../../shared/ui/feedback/notice.tsx';
import { toast } from '../../../shared/ui/feedback/toast.ts';

const words = ACCOUNT_LIFE_MESSAGES.deletion;

/** A way to sign in that leads back here. Rejects when it cannot leave. */
export interface FreshSignIn {
  /** Undefined: by the sign-in screen. */
  readonly provider: SignInProvider | undefined;
  readonly leave: () => Promise<void>;
}

/** Says that the last sign-in is too old to delete an account with, and offers the way to a fresh one. */
export function SignInAgain({ provider, leave }: FreshSignIn) {
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
  return (
    <Notice
      tone="danger"
      action={
        <Button
          size="small"
          busy={leaving}
          busyLabel={provider ? PROVIDER_MESSAGES.opening(provider) : words.leaving}
          onClick={() => void start()}
        >
          {provider ? PROVIDER_MESSAGES.confirmWith(provider) : words.leaveAndSignIn}
        </Button>
      }
    >
      {words.signInAgain}. {words.signInAgainHow}
    </Notice>
  );
}
