import { useState } from 'react';
import type { Captcha } from '../../../shared/lib/captcha/use-captcha.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { Notice } from '../../../shared/ui/feedback/notice.tsx';
import { toast } from '../../../shared/ui/feedback/toast.ts';
import { useResendConfirmation } from '../api/use-resend-confirmation.ts';
import { describeAuthError } from '../model/describe-auth-error.ts';

interface ResendConfirmationProps {
  readonly email: string;
  /** The page to return to once it is confirmed. */
  readonly from: string | undefined;
  /** The form's own. */
  readonly captcha: Captcha;
}

/** Tells that the address waits for its confirmation, and sends the mail again. */
export function ResendConfirmation({ email, from, captcha }: ResendConfirmationProps) {
  const resend = useResendConfirmation();
  const [state, setState] = useState<'idle' | 'sending' | 'sent'>('idle');
  const send = async () => {
    setState('sending');
    try {
      await resend(email, from, await captcha.take());
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
