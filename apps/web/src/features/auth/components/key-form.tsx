import { ACCOUNT_MESSAGES } from '@linkoteca/domain/messages/account-messages';
import { Fingerprint } from 'lucide-react';
import { useState } from 'react';
import { canAskSecurityKey } from '../../../shared/lib/session/ask-security-key.ts';
import { usePendingFactors } from '../../../shared/lib/session/session-context.tsx';
import { useSingleFlight } from '../../../shared/lib/writes/use-single-flight.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { toast } from '../../../shared/ui/feedback/toast.ts';
import { useProveByKey, useRenewSession } from '../api/use-prove-factor.ts';
import { readAuthProblem } from '../model/describe-auth-error.ts';
import { describeCodeFailure } from '../model/describe-code-failure.ts';

/** Has the browser ask for any of the account's keys; the session that changes leads on. */
export function KeyForm() {
  const key = usePendingFactors().find(({ type }) => type === 'webauthn');
  const prove = useProveByKey();
  const renew = useRenewSession();
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);
  const ask = useSingleFlight(async (factorId: string | undefined) => {
    if (factorId === undefined) return;
    setBusy(true);
    setError(undefined);
    try {
      await prove(factorId);
      toast.success(ACCOUNT_MESSAGES.login.done.title, ACCOUNT_MESSAGES.login.done.description);
    } catch (failure) {
      // Taken away elsewhere: the session says what is left to prove.
      if (readAuthProblem(failure) === 'factor-gone') await renew().catch(() => undefined);
      setError(describeKeyFailure(failure));
    } finally {
      setBusy(false);
    }
  });
  if (!canAskSecurityKey())
    return (
      <p className="text-base text-ink-soft">
        Este navegador não lê sua chave de segurança. Abra a Linkoteca em outro.
      </p>
    );
  return (
    <div className="flex flex-col gap-4">
      <p className="text-base text-ink-soft">
        Confirme com a digital, o rosto ou o PIN do aparelho, ou com a sua chave de segurança.
      </p>
      <Button
        variant="primary"
        size="large"
        busy={busy}
        busyLabel="Esperando..."
        aria-describedby={error ? 'key-error' : undefined}
        onClick={() => void ask(key?.id)}
      >
        <Fingerprint aria-hidden className="size-5" />
        Confirmar
      </Button>
      {error ? (
        <p id="key-error" role="alert" className="text-sm text-danger-text">
          {error}
        </p>
      ) : null}
    </div>
  );
}

function describeKeyFailure(failure: unknown): string {
  if ((failure as { name?: unknown }).name === 'NotAllowedError')
    return 'O navegador não recebeu a confirmação. Tente de novo.';
  return describeCodeFailure(failure, 'Essa chave não foi aceita. Tente de novo.');
}
