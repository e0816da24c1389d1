import { ACCOUNT_MESSAGES } from '@linkoteca/domain/messages/account-messages';
import { useEffect, useState } from 'react';
import { Button } from '../../../shared/ui/button.tsx';
import { toast } from '../../../shared/ui/toast.ts';
import { useSignInWithGoogle } from '../api/use-sign-in-with-google.ts';

/** 'Continuar com Google'. `from`: the page to come back to in the end. */
export function GoogleButton({ from }: { readonly from: string | undefined }) {
  const signIn = useSignInWithGoogle();
  const [leaving, setLeaving] = useState(false);
  const leave = async () => {
    setLeaving(true);
    try {
      // On success the browser is already on its way to Google: the button stays busy.
      await signIn(from);
    } catch {
      const { title, description } = ACCOUNT_MESSAGES.login.googleFailed;
      toast.error(title, description);
      setLeaving(false);
    }
  };
  // Who comes back by the browser's own button finds the page as it was left.
  useEffect(() => {
    const rest = () => setLeaving(false);
    window.addEventListener('pageshow', rest);
    return () => window.removeEventListener('pageshow', rest);
  }, []);
  return (
    <>
      <Button
        size="large"
        className="w-full"
        busy={leaving}
        busyLabel="Abrindo o Google..."
        onClick={leave}
        icon={<GoogleMark />}
      >
        Continuar com Google
      </Button>
      <div className="my-5 flex items-center gap-3 text-sm text-ink-faint">
        <span className="h-px flex-1 bg-line" />
        ou
        <span className="h-px flex-1 bg-line" />
      </div>
    </>
  );
}

function GoogleMark() {
  return (
    <svg viewBox="0 0 18 18" aria-hidden="true">
      <path
        fill="#4285f4"
        d="M17.6 9.2c0-.6-.1-1.3-.2-1.8H9v3.5h4.8a4.1 4.1 0 0 1-1.8 2.7v2.2h3c1.7-1.6 2.6-3.9 2.6-6.6Z"
      />
      <path fill="#34a853" d="M9 18c2.4 0 4.5-.8 6-2.2l-3-2.2a5.4 5.4 0 0 1-8-2.9H1v2.3A9 9 0 0 0 9 18Z" />
      <path fill="#fbbc05" d="M4 10.7a5.4 5.4 0 0 1 0-3.4V5H1a9 9 0 0 0 0 8l3-2.3Z" />
      <path fill="#ea4335" d="M9 3.6c1.3 0 2.5.5 3.4 1.3L15 2.3A9 9 0 0 0 1 5l3 2.3A5.4 5.4 0 0 1 9 3.6Z" />
    </svg>
  );
}
