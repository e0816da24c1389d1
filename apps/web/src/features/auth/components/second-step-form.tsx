import { ACCOUNT_MESSAGES } from '@linkoteca/domain/messages/account-messages';
import { type FormEvent, Suspense, useRef, useState } from 'react';
import { lazyPart } from '../../../shared/lib/browser/lazy-part.tsx';
import { canAskSecurityKey } from '../../../shared/lib/session/ask-security-key.ts';
import { usePendingFactors } from '../../../shared/lib/session/session-context.tsx';
import { useSingleFlight } from '../../../shared/lib/writes/use-single-flight.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Spinner } from '../../../shared/ui/feedback/spinner.tsx';
import { toast } from '../../../shared/ui/feedback/toast.ts';
import { ChoiceField } from '../../../shared/ui/fields/choice-field.tsx';
import { CODE_LENGTH, CodeField, readCode } from '../../../shared/ui/fields/code-field.tsx';
import { useProveFactor, useRenewSession } from '../api/use-prove-factor.ts';
import { readAuthProblem } from '../model/describe-auth-error.ts';
import { describeCodeFailure } from '../model/describe-code-failure.ts';
import { KeyForm } from './key-form.tsx';
import { RecoveryCodeForm } from './recovery-code-form.tsx';

type Way = 'app' | 'key' | 'phone' | 'code' | 'lost';

/**
 * A key, a code of an authenticator app or one that is texted, or one of those that were kept for when neither is at hand; or the way back for whoever has nothing of it.
 */
export function SecondStepForm() {
  const pending = usePendingFactors();
  const has = (kind: string) => pending.some(({ type }) => type === kind);
  const offered: Readonly<Record<Way, boolean>> = {
    key: has('webauthn'),
    app: has('totp'),
    phone: has('phone'),
    code: has('recovery_code'),
    lost: true,
  };
  // Where the browser cannot ask for a key, what else there is comes first; a text costs its sender money, and comes last.
  const [chosen, setWay] = useState<Way>();
  const otherwise = offered.app ? 'app' : offered.phone ? 'phone' : undefined;
  const way = chosen ?? (offered.key && (canAskSecurityKey() || !otherwise) ? 'key' : (otherwise ?? 'app'));
  const others = OTHER_WAYS.filter(([name]) => name !== way && offered[name]);
  return (
    <div className="flex flex-col gap-4">
      {way === 'key' ? <KeyForm /> : null}
      {way === 'app' ? <AppCodeForm /> : null}
      {way === 'phone' ? (
        <Suspense fallback={<Spinner />}>
          <PhoneForm />
        </Suspense>
      ) : null}
      {way === 'code' ? <RecoveryCodeForm /> : null}
      {way === 'lost' ? (
        <Suspense fallback={<Spinner />}>
          <LostDevice />
        </Suspense>
      ) : null}
      <div className="flex flex-col items-start gap-1">
        {others.map(([name, label]) => (
          <Button key={name} variant="quiet" onClick={() => setWay(name)}>
            {label}
          </Button>
        ))}
      </div>
    </div>
  );
}

const OTHER_WAYS: readonly (readonly [Way, string])[] = [
  ['key', 'Usar a chave de segurança ou biometria'],
  ['app', 'Usar o aplicativo'],
  ['phone', 'Receber um código por mensagem de texto'],
  ['code', 'Usar um código de recuperação'],
  ['lost', 'Não tenho mais o celular nem os códigos'],
];

const PhoneForm = lazyPart(
  () => import('./phone-form.tsx'),
  (module) => module.PhoneForm,
);

const LostDevice = lazyPart(
  () => import('./lost-device.tsx'),
  (module) => module.LostDevice,
);

/** The sixth digit sends it; the session that changes leads on. */
function AppCodeForm() {
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
      setError(
        describeCodeFailure(failure, 'Código incorreto ou já usado. Espere o próximo e tente de novo.'),
      );
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
