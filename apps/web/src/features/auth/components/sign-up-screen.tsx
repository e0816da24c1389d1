import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import { type SignUpForm as SignUpValues, signUpSchema } from '@linkoteca/domain/fields';
import { PASSWORD_MINIMUM } from '@linkoteca/domain/limits';
import { ACCOUNT_MESSAGES } from '@linkoteca/domain/messages/account-messages';
import { Link, Navigate, useNavigate, useSearch } from '@tanstack/react-router';
import { useForm, useWatch } from 'react-hook-form';
import { useDocumentTitle } from '../../../shared/lib/browser/use-document-title.ts';
import { useCaptcha } from '../../../shared/lib/captcha/use-captcha.tsx';
import { describeWeakPassword } from '../../../shared/lib/describe-weak-password.ts';
import { useSession } from '../../../shared/lib/session/session-context.tsx';
import { useSingleFlight } from '../../../shared/lib/writes/use-single-flight.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { toast } from '../../../shared/ui/feedback/toast.ts';
import { PasswordField } from '../../../shared/ui/fields/password-field.tsx';
import { PasswordHint } from '../../../shared/ui/fields/password-hint.tsx';
import { TextField } from '../../../shared/ui/fields/text-field.tsx';
import { useSignUp } from '../api/use-sign-up.ts';
import { describeAuthError, readAuthProblem } from '../model/describe-auth-error.ts';
import { suggestEmail } from '../model/suggest-email.ts';
import { AuthLayout } from './auth-layout.tsx';
import { EmailField } from './email-field.tsx';
import { ProviderEntry } from './provider-entry.tsx';
import { textLinkClassName } from './text-link-class-name.ts';
import { WaitingLink } from './waiting-link.tsx';

/** Create an account; the page they came from is kept until they are inside. */
export function SignUpScreen() {
  useDocumentTitle('Criar conta');
  const session = useSession();
  const { from } = useSearch({ from: '/signup' });
  if (session.status === 'signed-in') return <Navigate to={from ?? '/dashboard'} replace />;
  return (
    <AuthLayout
      title="Criar conta"
      lead={
        <>
          Já tem conta?{' '}
          <Link to="/login" search={{ from }} className={`hit-area ${textLinkClassName}`}>
            Entrar
          </Link>
        </>
      }
    >
      <WaitingLink from={from} />
      <ProviderEntry from={from} />
      <SignUpForm from={from} />
    </AuthLayout>
  );
}

const messages = ACCOUNT_MESSAGES.signUp;

/** Name, e-mail and password; then to /login, which tells to look for the mail, or inside, where none is sent. `from`: the page to return to in the end. */
export function SignUpForm({ from }: { readonly from: string | undefined }) {
  const signUp = useSignUp();
  const captcha = useCaptcha();
  const navigate = useNavigate();
  const { register, handleSubmit, formState, control, setError, setFocus, setValue } = useForm({
    resolver: standardSchemaResolver(signUpSchema),
    defaultValues: { name: '', email: '', password: '' },
  });

  const submit = useSingleFlight(async (form: SignUpValues) => {
    try {
      const { entered } = await signUp(form, from, await captcha.take());
      toast.success(messages.done.title, entered ? undefined : messages.done.description);
      // The screen leads on by itself.
      if (entered) return;
      await navigate({
        to: '/login',
        search: { notice: 'verify-email', from },
        state: { signUpEmail: form.email },
      });
    } catch (error) {
      const isKnown = readAuthProblem(error) === 'already-registered';
      const weakness = describeWeakPassword(error);
      if (isKnown) setFocus('email', { shouldSelect: true });
      if (weakness) setError('password', { message: weakness }, { shouldFocus: true });
      const known = isKnown ? messages.alreadyRegistered : messages.failed;
      toast.error(known.title, describeAuthError(error, known.description));
    }
  });

  const [email = '', name = '', password = ''] = useWatch({ control, name: ['email', 'name', 'password'] });
  const { errors, touchedFields } = formState;
  return (
    <form onSubmit={handleSubmit(submit)} noValidate className="flex flex-col gap-4">
      <TextField {...register('name')} label="Nome" autoComplete="name" error={errors.name?.message} />
      <EmailField
        {...register('email')}
        error={errors.email?.message}
        hint={
          touchedFields.email ? (
            <EmailSuggestion
              email={email}
              onAccept={(meant) => setValue('email', meant, { shouldValidate: true })}
            />
          ) : undefined
        }
      />
      <PasswordField
        {...register('password')}
        label="Senha"
        autoComplete="new-password"
        error={errors.password?.message}
        hint={
          errors.password ? undefined : (
            <PasswordHint password={password} minimum={PASSWORD_MINIMUM.account} about={[email, name]} />
          )
        }
      />
      {captcha.field}
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

interface EmailSuggestionProps {
  readonly email: string;
  readonly onAccept: (email: string) => void;
}

/** 'Você quis dizer ana@gmail.com?' for an address that looks mistyped: its confirmation would never arrive. */
function EmailSuggestion({ email, onAccept }: EmailSuggestionProps) {
  const meant = suggestEmail(email);
  if (meant === null) return null;
  return (
    <span role="status">
      Você quis dizer{' '}
      <button type="button" className={textLinkClassName} onClick={() => onAccept(meant)}>
        {meant}
      </button>
      ?
    </span>
  );
}
