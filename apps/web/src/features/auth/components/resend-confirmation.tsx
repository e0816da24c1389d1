import { Button } from '../../../shared/ui/button.tsx';
import { Notice } from '../../../shared/ui/notice.tsx';
import { toast } from '../../../shared/ui/toast.ts';
import { useResendConfirmation } from '../api/use-resend-confirmation.ts';
import { describeAuthError } from '../model/describe-auth-error.ts';

/** Tells that the address waits for its confirmation, and sends the mail again. */
export function ResendConfirmation({ email }: { readonly email: string }) {
  const resend = useResendConfirmation();
  const send = () =>
    resend.mutate(email, {
      onSuccess: () => toast.success('Email enviado!', `Procure o link de confirmação em ${email}.`),
      onError: (error) =>
        toast.error(
          'Erro ao enviar email',
          describeAuthError(error, 'Não foi possível enviar o email de confirmação.'),
        ),
    });
  return (
    <Notice
      tone="warning"
      action={
        resend.isSuccess ? null : (
          <Button size="small" busy={resend.isPending} busyLabel="Enviando..." onClick={send}>
            Reenviar e-mail
          </Button>
        )
      }
    >
      {resend.isSuccess
        ? `Enviamos um novo link para ${email}.`
        : 'Falta confirmar seu email. Abra o link que enviamos a você.'}
    </Notice>
  );
}
