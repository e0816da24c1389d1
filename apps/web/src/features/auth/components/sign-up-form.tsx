import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import { ACCOUNT_MESSAGES } from '@linkoteca/domain/account-messages';
import type { SignUpForm as SignUpValues } from '@linkoteca/domain/account-schema';
import { signUpSchema } from '@linkoteca/domain/account-schema';
import { PASSWORD_MINIMUM } from '@linkoteca/domain/limits';
import { Link, useNavigate } from '@tanstack/react-router';
import { useForm } from 'react-hook-form';
import { useSingleFlight } from '../../../shared/lib/use-single-flight.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { PasswordField } from '../../../shared/ui/password-field.tsx';
import { TextField } from '../../../shared/ui/text-field.tsx';
import { toast } from '../../../shared/ui/toast.ts';
import { useSignUp } from '../api/use-sign-up.ts';
import { describeAuthError, readAuthProblem } from '../model/describe-auth-error.ts';
import { EmailField } from './email-field.tsx';
import { textLinkClassName } from './text-link-class-name.ts';

const messages = ACCOUNT_MESSAGES.signUp;

/** Name, e-mail and password; then to /login, which tells to look for the mail. */
export function SignUpForm() {
  const signUp = useSignUp();
  const navigate = useNavigate();
  const { register, handleSubmit, formState } = useForm({
    resolver: standardSchemaResolver(signUpSchema),
    defaultValues: { name: '', email: '', password: '' },
  });

  const submit = useSingleFlight(async (form: SignUpValues) => {
    try {
      await signUp(form);
      toast.success(messages.done.title, messages.done.description);
      await navigate({ to: '/login', search: { notice: 'verify-email' } });
    } catch (error) {
      const known =
        readAuthProblem(error) === 'already-registered' ? messages.alreadyRegistered : messages.failed;
      toast.error(known.title, describeAuthError(error, known.description));
    }
  });

  return (
    <form onSubmit={handleSubmit(submit)} noValidate className="flex flex-col gap-4">
      <TextField
        {...register('name')}
        label="Nome"
        autoComplete="name"
        error={formState.errors.name?.message}
      />
      <EmailField {...register('email')} error={formState.errors.email?.message} />
      <PasswordField
        {...register('password')}
        label="Senha"
        autoComplete="new-password"
        error={formState.errors.password?.message}
        hint={formState.errors.password ? undefined : `No mínimo ${PASSWORD_MINIMUM.account} caracteres.`}
      />
      <Button
        type="submit"
        variant="primary"
        size="large"
        busy={formState.isSubmitting}
        busyLabel="Criando conta..."
        className="mt-1"
      >
        Criar conta
      </Button>
      <p className="text-sm text-ink-faint">
        Ao criar a conta, você concorda com os{' '}
        <Link to="/terms" className={textLinkClassName}>
          termos de uso
        </Link>{' '}
        e a{' '}
        <Link to="/privacy-policy" className={textLinkClassName}>
          política de privacidade
        </Link>
        .
      </p>
    </form>
  );
}
