import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import { type NewPasswordForm, newPasswordSchema } from '@linkoteca/domain/fields';
import { DELAY_MS, PASSWORD_MINIMUM } from '@linkoteca/domain/limits';
import { ACCOUNT_MESSAGES } from '@linkoteca/domain/messages/account-messages';
import { Navigate, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { useDocumentTitle } from '../../../shared/lib/browser/use-document-title.ts';
import { useSession } from '../../../shared/lib/session/session-context.tsx';
import { useSingleFlight } from '../../../shared/lib/writes/use-single-flight.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { FullScreenSpinner } from '../../../shared/ui/feedback/full-screen-spinner.tsx';
import { Notice } from '../../../shared/ui/feedback/notice.tsx';
import { toast } from '../../../shared/ui/feedback/toast.ts';
import { PasswordField } from '../../../shared/ui/fields/password-field.tsx';
import { PasswordHint } from '../../../shared/ui/fields/password-hint.tsx';
import { useSetPassword } from '../api/use-set-password.ts';
import { describeAuthError } from '../model/describe-auth-error.ts';
import { describeWeakPassword } from '../model/describe-weak-password.ts';
import { AuthLayout } from './auth-layout.tsx';

/** Choose a new password, after a reset link or while signed in; then on to the dashboard after 2 s. */
export function ChangePasswordScreen() {
  useDocumentTitle('Criar nova senha');
  const session = useSession();
  const navigate = useNavigate();
  const [done, setDone] = useState(false);

  useEffect(() => {
    if (!done) return;
    const timer = setTimeout(
      () => void navigate({ to: '/dashboard', replace: true }),
      DELAY_MS.changePasswordRedirect,
    );
    return () => clearTimeout(timer);
  }, [done, navigate]);

  if (session.status === 'loading') return <FullScreenSpinner />;
  if (session.status === 'signed-out') return <Navigate to="/login" search={{}} replace />;
  return (
    <AuthLayout title="Criar nova senha" lead={session.person.email}>
      {done ? (
        <Notice tone="success">Pronto! Sua nova senha já vale. Levando você à sua biblioteca...</Notice>
      ) : (
        <ChangePasswordForm email={session.person.email} onDone={() => setDone(true)} />
      )}
    </AuthLayout>
  );
}

interface ChangePasswordFormProps {
  readonly email: string;
  readonly onDone: () => void;
}

/** The new password, twice. The hidden e-mail lets password managers update the right entry. */
export function ChangePasswordForm({ email, onDone }: ChangePasswordFormProps) {
  const setPassword = useSetPassword();
  const { register, handleSubmit, formState, control, setError } = useForm({
    resolver: standardSchemaResolver(newPasswordSchema),
    defaultValues: { password: '', confirmPassword: '' },
  });
  const submit = useSingleFlight(async ({ password }: NewPasswordForm) => {
    try {
      await setPassword(password);
      toast.success(ACCOUNT_MESSAGES.password.saved);
      onDone();
    } catch (error) {
      const weakness = describeWeakPassword(error);
      if (weakness) setError('password', { message: weakness }, { shouldFocus: true });
      toast.error(
        ACCOUNT_MESSAGES.reset.changeFailed,
        describeAuthError(error, 'Não foi possível alterar sua senha. Tente de novo.'),
      );
    }
  });
  const password = useWatch({ control, name: 'password' }) ?? '';
  return (
    <form onSubmit={handleSubmit(submit)} noValidate className="flex flex-col gap-4">
      <input type="email" autoComplete="username" value={email} readOnly hidden />
      <PasswordField
        {...register('password')}
        label="Nova senha"
        autoComplete="new-password"
        error={formState.errors.password?.message}
        hint={
          formState.errors.password ? undefined : (
            <PasswordHint password={password} minimum={PASSWORD_MINIMUM.account} about={[email]} />
          )
        }
      />
      <PasswordField
        {...register('confirmPassword')}
        label="Confirme a nova senha"
        autoComplete="new-password"
        error={formState.errors.confirmPassword?.message}
      />
      <Button
        type="submit"
        variant="primary"
        size="large"
        busy={formState.isSubmitting}
        busyLabel="Salvando..."
      >
        Salvar nova senha
      </Button>
    </form>
  );
}
