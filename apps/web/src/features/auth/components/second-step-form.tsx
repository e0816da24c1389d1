import { ACCOUNT_MESSAGES } from '@linkoteca/domain/messages/account-messages';
import { type FormEvent, useRef, useState } from 'react';
import { usePendingFactors } from '../../../shared/lib/session/session-context.tsx';
import { useSingleFlight } from '../../../shared/lib/writes/use-single-flight.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { toast } from '../../../shared/ui/feedback/toast.ts';
import { ChoiceField } from '../../../shared/ui/fields/choice-field.tsx';
import { CODE_LENGTH, CodeField, readCode } from '../../../shared/ui/fields/code-field.tsx';
import { useProveFactor, useRenewSession } from '../api/use-prove-factor.ts';
import { describeAuthError, readAuthProblem } from '../model/describe-auth-error.ts';

/** The code of an authenticator app. The sixth digit sends it; the session that changes leads on. */
export function SecondStepForm() {
  const apps = usePendingFactors().filter(({ type }) => type === 'totp');
  const prove = useProveFactor();
  const renew = useRenewSession();
  const field = useRef<HTMLInputElement>(null);
  const [chosen, setChosen] = useState<string>();
  const [code, setCode] = useState('');
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);
  const factorId = apps.find(({ id }) => id === chosen)?.id ?? apps[0]?.id;

  const send = useSingleFlight(async (typed: string) => {
    if (factorId === undefined) return;
    if (typed.length < CODE_LENGTH) {
      setError(`O código tem ${CODE_LENGTH} números.`);
      field.current?.focus();
      return;
    }
    setBusy(true);
    try {
      await prove({ factorId, code: typed });
      toast.success(ACCOUNT_MESSAGES.login.done.title, ACCOUNT_MESSAGES.login.done.description);
    } catch (failure) {
      // Taken away elsewhere: the session says what is left to prove.
      if (readAuthProblem(failure) === 'factor-gone') await renew().catch(() => undefined);
      setError(describeCodeFailure(failure));
      setCode('');
      field.current?.focus();
    } finally {
      setBusy(false);
    }
  });
  const type = (text: string) => {
    const typed = readCode(text);
    setCode(typed);
    setError(undefined);
    if (typed.length === CODE_LENGTH) void send(typed);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void send(code);
  };

  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-4">
      {apps.length > 1 ? (
        <ChoiceField label="Aplicativo" value={factorId ?? ''} onChange={setChosen}>
          {apps.map(({ id, name }) => (
            <option key={id} value={id}>
              {name || 'Aplicativo autenticador'}
            </option>
          ))}
        </ChoiceField>
      ) : null}
      <CodeField
        ref={field}
        autoFocus
        label="Código do aplicativo autenticador"
        value={code}
        onChange={(event) => type(event.target.value)}
        error={error}
        hint={error ? undefined : 'Abra o aplicativo no seu celular e digite os 6 números.'}
      />
      <Button type="submit" variant="primary" size="large" busy={busy} busyLabel="Confirmando...">
        Confirmar
      </Button>
    </form>
  );
}

function describeCodeFailure(failure: unknown): string {
  if (readAuthProblem(failure) === 'wrong-code')
    return 'Código incorreto ou já usado. Espere o próximo e tente de novo.';
  if (readAuthProblem(failure) === 'too-many')
    return 'Muitas tentativas. Espere cinco minutos e tente de novo.';
  return describeAuthError(failure, 'Não foi possível confirmar. Tente de novo.');
}
