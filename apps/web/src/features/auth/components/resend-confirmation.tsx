import { useState } from 'react';
import type { Captcha } from '../../../shared/lib/captcha/use-captcha.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { Notice } from '../../../shared/ui/feedback/notice.tsx';
import { toast } from '../../../shared/ui/feedback/toast.ts';
import { useResendConfirmation } from '../api/use-resend-confirmation.ts';
import { describeAuthError } from '../model/describe-auth-error.ts';

interface ResendConfirmationProps {
  /** Whose address waits; null after a link that came too late: then the form's is asked. */
  readonly email: string | null;
  /** The address in the form, once it is one. */
  readonly readEmail: () => Promise<string | null>;
  /** The page to return to once it is confirmed. */
  readonly from: string | undefined;
  /** The form's own. */
  readonly captcha: Captcha;
}

const UNCONFIRMED = 'Falta confirmar seu e-mail. Abra o link que enviamos a você.';

const EXPIRED = 'Este link expirou ou já foi usado. Entre com sua senha, ou escreva seu e-mail e peça outro.';

/** The service does not tell a stranger whose address waits: only who has just given the right password `isCertain`ly gets a mail. */
const tellSent = (email: string, isCertain: boolean) =>
  isCertain
    ? `Enviamos um novo link para ${email}.`
    : `Se ${email} ainda espera confirmação, o novo link chega em instantes.`;

/** Tells that the address waits for its confirmation, or that a link came too late, and sends the mail again. */
export function ResendConfirmation({ email, readEmail, from, captcha }: ResendConfirmationProps) {
  const resend = useResendConfirmation();
  const [sending, setSending] = useState(false);
  const [sentTo, setSentTo] = useState<string | null>(null);
  const send = async () => {
    const to = email ?? (await readEmail());
    if (to === null) return;
    setSending(true);
    try {
      await resend(to, from, await captcha.take());
      setSentTo(to);
      toast.success('Email enviado!', tellSent(to, email !== null));
    } catch (error) {
      toast.error(
        'Erro ao enviar email',
        describeAuthError(error, 'Não foi possível enviar o e-mail de confirmação.'),
      );
    } finally {
      setSending(false);
    }
  };
  return (
    <Notice
      tone="warning"
      action={
        sentTo === null ? (
          <Button size="small" busy={sending} busyLabel="Enviando..." onClick={send}>
            Reenviar e-mail
          </Button>
        ) : null
      }
    >
      {sentTo === null ? (email === null ? EXPIRED : UNCONFIRMED) : tellSent(sentTo, email !== null)}
    </Notice>
  );
}
