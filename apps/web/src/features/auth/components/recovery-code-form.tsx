import { ACCOUNT_MESSAGES } from '@linkoteca/domain/messages/account-messages';
import { type FormEvent, useState } from 'react';
import { useSingleFlight } from '../../../shared/lib/writes/use-single-flight.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { toast } from '../../../shared/ui/feedback/toast.ts';
import { TextField } from '../../../shared/ui/fields/text-field.tsx';
import { useProveByRecoveryCode } from '../api/use-prove-factor.ts';
import { describeCodeFailure } from '../model/describe-code-failure.ts';

/** One of the codes that were kept for when the app is not at hand. */
export function RecoveryCodeForm() {
  const prove = useProveByRecoveryCode();
  const [code, setCode] = useState('');
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);
  const send = useSingleFlight(async (typed: string) => {
    if (typed.trim() === '') return setError('Digite um dos códigos que você guardou.');
    setBusy(true);
    try {
      await prove(typed);
      toast.success(
        ACCOUNT_MESSAGES.login.done.title,
        'Esse código não vale mais. Perdeu o celular? Troque o aplicativo em Perfil, Segurança.',
      );
    } catch (failure) {
      setError(describeCodeFailure(failure, 'Código incorreto ou já usado. Tente outro.'));
    } finally {
      setBusy(false);
    }
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void send(code);
  };
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-4">
      <TextField
        autoFocus
        label="Código de recuperação"
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        maxLength={40}
        value={code}
        onChange={(event) => {
          setCode(event.target.value);
          setError(undefined);
        }}
        error={error}
        hint={error ? undefined : 'Um dos dez que você guardou. Cada um vale uma vez.'}
        className="font-mono"
      />
      <Button type="submit" variant="primary" size="large" busy={busy} busyLabel="Confirmando...">
        Confirmar
      </Button>
    </form>
  );
}
