import { Building2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { Captcha } from '../../../shared/lib/captcha/use-captcha.tsx';
import { useSingleFlight } from '../../../shared/lib/writes/use-single-flight.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { toast } from '../../../shared/ui/feedback/toast.ts';
import { useSignInByOrganisation } from '../api/use-sign-in-by-organisation.ts';
import { describeAuthError } from '../model/describe-auth-error.ts';

const FAILED = 'Não foi possível abrir a entrada da sua organização';

interface OrganisationFormProps {
  readonly from: string | undefined;
  /** Of the form around: asks for the address where it is missing. */
  readonly readEmail: () => Promise<string | null>;
  readonly captcha: Captcha;
}

/** Signs in where the person's organisation does: by the address that stands in the form. */
export function OrganisationForm({ from, readEmail, captcha }: OrganisationFormProps) {
  const signIn = useSignInByOrganisation();
  const [leaving, setLeaving] = useState(false);
  const leave = useSingleFlight(async (_: undefined) => {
    const email = await readEmail();
    if (email === null) return;
    setLeaving(true);
    try {
      // On success the browser is already on its way: the button stays busy.
      await signIn(email, from, await captcha.take());
    } catch (failure) {
      toast.error(FAILED, describeFailure(failure));
      setLeaving(false);
    }
  });
  // Who comes back by the browser's own button finds the page as it was left.
  useEffect(() => {
    const rest = () => setLeaving(false);
    window.addEventListener('pageshow', rest);
    return () => window.removeEventListener('pageshow', rest);
  }, []);
  return (
    <Button size="large" busy={leaving} busyLabel="Abrindo..." onClick={() => void leave(undefined)}>
      <Building2 aria-hidden className="size-5" />
      Entrar com a conta da organização
    </Button>
  );
}

function describeFailure(failure: unknown): string {
  const { code } = failure as { code?: unknown };
  if (code === 'sso_provider_not_found' || code === 'sso_provider_disabled')
    return 'Nenhuma organização entra aqui com esse e-mail. Entre com a senha.';
  return describeAuthError(failure, 'Tente de novo daqui a pouco.');
}
