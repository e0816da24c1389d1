import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import { ACCOUNT_MESSAGES } from '@linkoteca/domain/account-messages';
import { settingsPasswordSchema } from '@linkoteca/domain/account-schema';
import { PASSWORD_MINIMUM } from '@linkoteca/domain/limits';
import { useForm } from 'react-hook-form';
import { describeError } from '../../../shared/lib/describe-error.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { PasswordField } from '../../../shared/ui/password-field.tsx';
import { toast } from '../../../shared/ui/toast.ts';
import { useChangePassword, WrongCurrentPassword } from '../api/use-change-password.ts';

const messages = ACCOUNT_MESSAGES.password;
const empty = { currentPassword: '', newPassword: '', confirmPassword: '' };

interface SecurityPanelProps {
  readonly email: string;
  /** Told when typed text appears or goes, so that a dialog around it can ask before closing. */
  readonly onDirtyChange?: (dirty: boolean) => void;
}

/** Change of password with the current one. */
export function SecurityPanel({ email, onDirtyChange }: SecurityPanelProps) {
  const change = useChangePassword(email);
  const { register, handleSubmit, formState, reset, setError, getValues } = useForm({
    resolver: standardSchemaResolver(settingsPasswordSchema),
    defaultValues: empty,
  });
  const { errors } = formState;
  const tellDirty = () => onDirtyChange?.(Object.values(getValues()).some((text) => text !== ''));

  const submit = handleSubmit(async (form) => {
    if (change.isPending) return;
    try {
      await change.mutateAsync(form);
      toast.success(messages.saved);
      reset(empty);
      onDirtyChange?.(false);
    } catch (error) {
      if (error instanceof WrongCurrentPassword) {
        setError('currentPassword', { message: messages.wrongCurrent }, { shouldFocus: true });
        toast.error(messages.wrongCurrent);
        return;
      }
      toast.error(describeError(error, messages.failed));
    }
  });

  return (
    <form onSubmit={submit} onChange={tellDirty} noValidate className="flex flex-col gap-4">
      <input type="email" autoComplete="username" value={email} readOnly hidden />
      <PasswordField
        {...register('currentPassword')}
        label="Senha atual"
        autoComplete="current-password"
        error={errors.currentPassword?.message}
      />
      <PasswordField
        {...register('newPassword')}
        label="Nova senha"
        autoComplete="new-password"
        error={errors.newPassword?.message}
        hint={errors.newPassword ? undefined : `No mínimo ${PASSWORD_MINIMUM.settings} caracteres.`}
      />
      <PasswordField
        {...register('confirmPassword')}
        label="Confirme a nova senha"
        autoComplete="new-password"
        error={errors.confirmPassword?.message}
      />
      <Button
        type="submit"
        variant="primary"
        size="large"
        busy={change.isPending}
        busyLabel="Salvando..."
        className="mt-1 self-start max-md:self-stretch"
      >
        Alterar senha
      </Button>
    </form>
  );
}
