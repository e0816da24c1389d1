import { type FormEvent, useState } from 'react';
import { useSingleFlight } from '../../../shared/lib/writes/use-single-flight.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { toast } from '../../../shared/ui/feedback/toast.ts';
import { TextField } from '../../../shared/ui/fields/text-field.tsx';
import type { FactorResetCalls } from '../api/use-factor-reset.ts';
import { describeAuthError, readAuthProblem } from '../model/describe-auth-error.ts';

/** The wait is over: a code is mailed, and typed. */
export function FinishReset({ mailCode, finish }: Pick<FactorResetCalls, 'mailCode' | 'finish'>) {
  const [mailed, setMailed] = useState(false);
  const [nonce, setNonce] = useState('');
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);
  const send = useSingleFlight(async (typed: string) => {
    if (mailed && typed.trim() === '') return setError('Digite o código do e-mail.');
    setBusy(true);
    try {
      if (mailed) {
        await finish(typed.trim());
        toast.success('Verificação em duas etapas desligada', 'Ligue-a de novo em Perfil, Segurança.');
      } else {
        await mailCode();
        setMailed(true);
      }
    } catch (failure) {
      if (readAuthProblem(failure) === 'wrong-code') setError('Código incorreto ou vencido. Peça outro.');
      else toast.error(describeAuthError(failure, 'Não deu certo. Tente de novo.'));
    } finally {
      setBusy(false);
    }
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void send(nonce);
  };
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-4">
      <p className="text-base text-ink">
        {mailed
          ? 'Enviamos um código ao seu e-mail.'
          : 'A espera acabou. Confirme pelo seu e-mail, e sua conta abre só com a senha.'}
      </p>
      {mailed ? (
        <TextField
          autoFocus
          label="Código do e-mail"
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={12}
          value={nonce}
          onChange={(event) => {
            setNonce(event.target.value);
            setError(undefined);
          }}
          error={error}
        />
      ) : null}
      <Button
        type="submit"
        variant="primary"
        size="large"
        busy={busy}
        busyLabel={mailed ? 'Desligando...' : 'Enviando...'}
      >
        {mailed ? 'Desligar e entrar' : 'Enviar código por e-mail'}
      </Button>
      {mailed ? (
        <Button variant="quiet" className="self-start" onClick={() => setMailed(false)}>
          Pedir outro código
        </Button>
      ) : null}
    </form>
  );
}
