import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import { ACCOUNT_MESSAGES } from '@linkoteca/domain/account-messages';
import type { LoginForm as LoginValues } from '@linkoteca/domain/account-schema';
import { loginSchema } from '@linkoteca/domain/account-schema';
import { Link } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { useForm } from 'react-hook-form';
import { useCaptcha } from '../../../shared/lib/captcha/use-captcha.tsx';
import { offlineMessage } from '../../../shared/lib/describe-error.ts';
import { lazyPart } from '../../../shared/lib/lazy-part.tsx';
import { useIdlePreload } from '../../../shared/lib/use-idle-preload.ts';
import { useSingleFlight } from '../../../shared/lib/use-single-flight.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { PasswordField } from '../../../shared/ui/password-field.tsx';
import { toast } from '../../../shared/ui/toast.ts';
import { useSignIn } from '../api/use-sign-in.ts';
import { EmailField } from './email-field.tsx';
import { textLinkClassName } from './text-link-class-name.ts';

const ResendConfirmation = lazyPart(
  () => import('./resend-confirmation.tsx'),
  (module) => module.ResendConfirmation,
);

const loadWords = () => import('../model/describe-auth-error.ts');

/** E-mail and password. Signing in changes the session; the screen around it then leads on. */
export function LoginForm({ from }: { readonly from: string | undefined }) {
  const signIn = useSignIn();
  useIdlePreload(loadWords);
  const captcha = useCaptcha();
  const [unconfirmed, setUnconfirmed] = useState<string | null>(null);
  const { register, handleSubmit, formState, setFocus } = useForm({
    resolver: standardSchemaResolver(loginSchema),
    defaultValues: { email: '', password: '' },
  });

  const submit = useSingleFlight(async (form: LoginValues) => {
    setUnconfirmed(null);
    try {
      await signIn(form, await captcha.take());
      toast.success(ACCOUNT_MESSAGES.login.done.title, ACCOUNT_MESSAGES.login.done.description);
    } catch (error) {
      // Where not even the words arrive, the network is away.
      const words = await loadWords().catch(() => null);
      if (words?.readAuthProblem(error) === 'email-not-confirmed') setUnconfirmed(form.email);
      const { title, description } = ACCOUNT_MESSAGES.login.failed;
      toast.error(title, words ? words.describeAuthError(error, description) : offlineMessage);
      setFocus('password', { shouldSelect: true });
    }
  });

  return (
    <form onSubmit={handleSubmit(submit)} noValidate className="flex flex-col gap-4">
      {unconfirmed ? (
        <Suspense>
          <ResendConfirmation email={unconfirmed} from={from} captcha={captcha} />
        </Suspense>
      ) : null}
      <EmailField {...register('email')} error={formState.errors.email?.message} />
      <PasswordField
        {...register('password')}
        label="Senha"
        autoComplete="current-password"
        error={formState.errors.password?.message}
        aside={
          <Link to="/reset-password" className={`text-sm ${textLinkClassName}`}>
            Esqueceu a senha?
          </Link>
        }
      />
      {captcha.field}
      <Button
        type="submit"
        variant="primary"
        size="large"
        busy={formState.isSubmitting}
        busyLabel="Entrando..."
        className="mt-1"
      >
        Entrar
      </Button>
    </form>
  );
}
