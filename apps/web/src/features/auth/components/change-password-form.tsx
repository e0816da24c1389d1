import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import { ACCOUNT_MESSAGES } from '@linkoteca/domain/account-messages';
import type { NewPasswordForm } from '@linkoteca/domain/account-schema';
import { newPasswordSchema } from '@linkoteca/domain/account-schema';
import { PASSWORD_MINIMUM } from '@linkoteca/domain/limits';
import { useForm, useWatch } from 'react-hook-form';
import { useSingleFlight } from '../../../shared/lib/use-single-flight.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { PasswordField } from '../../../shared/ui/password-field.tsx';
import { PasswordHint } from '../../../shared/ui/password-hint.tsx';
import { toast } from '../../../shared/ui/toast.ts';
import { useSetPassword } from '../api/use-set-password.ts';
import { describeAuthError } from '../model/describe-auth-error.ts';
import { describeWeakPassword } from '../model/describe-weak-password.ts';

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
