import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import { resetPasswordSchema } from '@linkoteca/domain/fields';
import { ACCOUNT_MESSAGES } from '@linkoteca/domain/messages/account-messages';
import { Link } from '@tanstack/react-router';
import { MailCheck } from 'lucide-react';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useDocumentTitle } from '../../../shared/lib/browser/use-document-title.ts';
import { useCaptcha } from '../../../shared/lib/captcha/use-captcha.tsx';
import { useSingleFlight } from '../../../shared/lib/writes/use-single-flight.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { toast } from '../../../shared/ui/feedback/toast.ts';
import { useRequestReset } from '../api/use-request-reset.ts';
import { describeAuthError } from '../model/describe-auth-error.ts';
import { AuthLayout } from './auth-layout.tsx';
import { EmailField } from './email-field.tsx';
import { textLinkClassName } from './text-link-class-name.ts';

const messages = ACCOUNT_MESSAGES.reset;

/** Ask for the reset mail. What it says afterwards does not tell whether the address has an account. */
export function ResetPasswordScreen() {
  useDocumentTitle('Redefinir senha');
  const [sentTo, setSentTo] = useState<string | null>(null);
  return (
    <AuthLayout
      title={sentTo ? messages.sent : 'Redefinir senha'}
      lead={
        sentTo
          ? 'Se houver uma conta com este endereço, o link para criar uma nova senha chega em instantes. Abra-o em qualquer aparelho.'
          : 'Informe seu e-mail e enviaremos um link para você criar uma nova senha.'
      }
    >
      {sentTo ? <Sent email={sentTo} onRetry={() => setSentTo(null)} /> : <ResetForm onSent={setSentTo} />}
      <p className="mt-6 text-base text-ink-soft">
        Lembrou?{' '}
        <Link to="/login" className={`hit-area ${textLinkClassName}`}>
          Voltar para entrar
        </Link>
      </p>
    </AuthLayout>
  );
}

function ResetForm({ onSent }: { readonly onSent: (email: string) => void }) {
  const requestReset = useRequestReset();
  const captcha = useCaptcha();
  const { register, handleSubmit, formState } = useForm({
    resolver: standardSchemaResolver(resetPasswordSchema),
    defaultValues: { email: '' },
  });
  const submit = useSingleFlight(async ({ email }: { readonly email: string }) => {
    try {
      await requestReset(email, await captcha.take());
      onSent(email);
    } catch (error) {
      toast.error(messages.failed.title, describeAuthError(error, messages.failed.description));
    }
  });
  return (
    <form onSubmit={handleSubmit(submit)} noValidate className="flex flex-col gap-4">
      <EmailField {...register('email')} error={formState.errors.email?.message} />
      {captcha.field}
      <Button
        type="submit"
        variant="primary"
        size="large"
        busy={formState.isSubmitting}
        busyLabel="Enviando..."
      >
        Enviar link
      </Button>
    </form>
  );
}

function Sent({ email, onRetry }: { readonly email: string; readonly onRetry: () => void }) {
  return (
    <div role="status" className="flex items-center gap-3 rounded-lg border border-line bg-surface p-4">
      <MailCheck aria-hidden className="size-5 shrink-0 text-accent-text" />
      <span className="min-w-0 flex-1 truncate text-base font-medium" title={email}>
        {email}
      </span>
      <Button size="small" variant="quiet" onClick={onRetry}>
        Trocar
      </Button>
    </div>
  );
}
