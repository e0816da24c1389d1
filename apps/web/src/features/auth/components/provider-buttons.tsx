import { PROVIDER_MESSAGES } from '@linkoteca/domain/messages/provider-messages';
import { useEffect, useState } from 'react';
import { useBackend } from '../../../shared/lib/supabase/backend-context.tsx';
import { listOffered, type SignInProvider } from '../../../shared/sign-in/sign-in-providers.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { toast } from '../../../shared/ui/feedback/toast.ts';
import { useSignInWithProvider } from '../api/use-sign-in-with-provider.ts';

/** 'Continuar com Google' and the like. `from`: the page to come back to in the end. */
export function ProviderButtons({ from }: { readonly from: string | undefined }) {
  const offered = listOffered(useBackend().config);
  const signIn = useSignInWithProvider();
  const [leavingFor, setLeavingFor] = useState<string | null>(null);
  const leave = async (provider: SignInProvider) => {
    setLeavingFor(provider.name);
    try {
      // On success the browser is already on its way to the provider: the button stays busy.
      await signIn(provider.name, from);
    } catch {
      const { title, description } = PROVIDER_MESSAGES.failed(provider);
      toast.error(title, description);
      setLeavingFor(null);
    }
  };
  // Who comes back by the browser's own button finds the page as it was left.
  useEffect(() => {
    const rest = () => setLeavingFor(null);
    window.addEventListener('pageshow', rest);
    return () => window.removeEventListener('pageshow', rest);
  }, []);
  if (offered.length === 0) return null;
  return (
    <>
      <div className="flex flex-col gap-3">
        {offered.map((provider) => (
          <Button
            key={provider.name}
            size="large"
            className="w-full"
            busy={leavingFor === provider.name}
            busyLabel={PROVIDER_MESSAGES.opening(provider)}
            onClick={() => leave(provider)}
            icon={provider.icon}
          >
            {PROVIDER_MESSAGES.continueWith(provider)}
          </Button>
        ))}
      </div>
      <div className="my-5 flex items-center gap-3 text-sm text-ink-faint">
        <span className="h-px flex-1 bg-line" />
        ou
        <span className="h-px flex-1 bg-line" />
      </div>
    </>
  );
}
