import { useState } from 'react';
import { Button } from '../../../shared/ui/button.tsx';
import { Notice } from '../../../shared/ui/notice.tsx';
import { toast } from '../../../shared/ui/toast.ts';
import { useResendConfirmation } from '../api/use-resend-confirmation.ts';
import { describeAuthError } from '../model/describe-auth-error.ts';

/** Tells that the address waits for its confirmation, and sends the mail again. */
export function ResendConfirmation({ email }: { readonly email: string }) {
  const resend = useResendConfirmation();
  const [state, setState] = useState<'idle' | 'sending' | 'sent'>('idle');
  const send = async () => {
    setState('sending');
    try {
      await resend(email);
      setState('sent');
      toast.success('Email enviado!', `Procure o link de confirmação em ${email}.`);
    } catch (error) {
      setState('idle');
      toast.error(
        'Erro ao enviar email',
        describeAuthError(error, 'Não foi possível enviar o email de confirmação.'),
      );
    }
  };
  return (
    <Notice
      tone="warning"
      action={
        state === 'sent' ? null : (
          <Button size="small" busy={state === 'sending'} busyLabel="Enviando..." onClick={send}>
            Reenviar e-mail
          </Button>
        )
      }
    >
      {state === 'sent'
        ? `Enviamos um novo link para ${email}.`
        : 'Falta confirmar seu email. Abra o link que enviamos a você.'}
    </Notice>
  );
}
