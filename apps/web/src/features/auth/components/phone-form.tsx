import { ACCOUNT_MESSAGES } from '@linkoteca/domain/messages/account-messages';
import { type FormEvent, useState } from 'react';
import { usePendingFactors } from '../../../shared/lib/session/session-context.tsx';
import { useSingleFlight } from '../../../shared/lib/writes/use-single-flight.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { toast } from '../../../shared/ui/feedback/toast.ts';
import { ChoiceField } from '../../../shared/ui/fields/choice-field.tsx';
import { CodeField, LONGEST_CODE, readCode } from '../../../shared/ui/fields/code-field.tsx';
import { useProveByPhone, useRenewSession } from '../api/use-prove-factor.ts';
import { describeAuthError, readAuthProblem } from '../model/describe-auth-error.ts';
import { describeCodeFailure } from '../model/describe-code-failure.ts';

/** Texts a code once it is asked for, and takes it; the session that changes leads on. */
export function PhoneForm() {
  const phones = usePendingFactors().filter(({ type }) => type === 'phone');
  const { ask, prove } = useProveByPhone();
  const renew = useRenewSession();
  const [chosen, setChosen] = useState<string>();
  const [challengeId, setChallengeId] = useState<string>();
  const [code, setCode] = useState('');
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState<'asking' | 'proving'>();
  const factorId = phones.find(({ id }) => id === chosen)?.id ?? phones[0]?.id ?? '';

  const run = async (
    what: 'asking' | 'proving',
    work: () => Promise<void>,
    wrong: (failure: unknown) => string,
  ) => {
    setBusy(what);
    setError(undefined);
    try {
      await work();
    } catch (failure) {
      // Taken away elsewhere: the session says what is left to prove.
      if (readAuthProblem(failure) === 'factor-gone') await renew().catch(() => undefined);
      setError(wrong(failure));
    } finally {
      setBusy(undefined);
    }
  };
  const send = useSingleFlight((id: string) =>
    run(
      'asking',
      async () => {
        setChallengeId(await ask(id));
        setCode('');
      },
      (failure) => describeAuthError(failure, 'Não foi possível enviar a mensagem. Tente de novo.'),
    ),
  );
  const confirm = useSingleFlight(async (typed: string) => {
    if (challengeId === undefined) return;
    if (typed === '') return setError('Digite o código que você recebeu.');
    await run(
      'proving',
      async () => {
        await prove({ factorId, challengeId, code: typed });
        toast.success(ACCOUNT_MESSAGES.login.done.title, ACCOUNT_MESSAGES.login.done.description);
      },
      (failure) => describeCodeFailure(failure, 'Código incorreto ou já usado. Confira, ou peça outro.'),
    );
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void (challengeId === undefined ? send(factorId) : confirm(code));
  };
  const choose = (id: string) => {
    setChosen(id);
    // A code is for the one phone that it was sent to.
    setChallengeId(undefined);
    setError(undefined);
  };

  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-4">
      {phones.length > 1 ? (
        <ChoiceField label="Telefone" value={factorId} onChange={choose}>
          {phones.map(({ id, name }) => (
            <option key={id} value={id}>
              {name || 'Telefone'}
            </option>
          ))}
        </ChoiceField>
      ) : null}
      {challengeId === undefined ? (
        <>
          <p className="text-base text-ink-soft">
            Enviamos um código por mensagem de texto
            {phones.length === 1 && phones[0]?.name ? ` para ${phones[0].name}` : ' para o seu telefone'}.
          </p>
          {error ? (
            <p role="alert" className="text-sm text-danger-text">
              {error}
            </p>
          ) : null}
        </>
      ) : (
        <CodeField
          autoFocus
          label="Código que você recebeu"
          value={code}
          onChange={(event) => {
            setCode(readCode(event.target.value, LONGEST_CODE));
            setError(undefined);
          }}
          error={error}
        />
      )}
      <Button
        type="submit"
        variant="primary"
        size="large"
        busy={busy !== undefined}
        busyLabel={busy === 'asking' ? 'Enviando...' : 'Confirmando...'}
      >
        {challengeId === undefined ? 'Enviar código' : 'Confirmar'}
      </Button>
      {challengeId === undefined ? null : (
        <Button variant="quiet" className="self-start" onClick={() => void send(factorId)}>
          Enviar outro código
        </Button>
      )}
    </form>
  );
}
