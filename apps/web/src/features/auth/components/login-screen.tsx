import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import { type LoginForm as LoginValues, loginSchema } from '@linkoteca/domain/fields';
import { ACCOUNT_MESSAGES } from '@linkoteca/domain/messages/account-messages';
import { Link, Navigate, useLocation, useSearch } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { useForm } from 'react-hook-form';
import { lazyPart } from '../../../shared/lib/browser/lazy-part.tsx';
import { useDocumentTitle } from '../../../shared/lib/browser/use-document-title.ts';
import { useIdlePreload } from '../../../shared/lib/browser/use-idle-preload.ts';
import { useCaptcha } from '../../../shared/lib/captcha/use-captcha.tsx';
import { offlineMessage } from '../../../shared/lib/describe-error.ts';
import { useSession } from '../../../shared/lib/session/session-context.tsx';
import { useBackend } from '../../../shared/lib/supabase/backend-context.tsx';
import { isExpiredLink } from '../../../shared/lib/supabase/read-auth-link.ts';
import { useSingleFlight } from '../../../shared/lib/writes/use-single-flight.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { FullScreenSpinner } from '../../../shared/ui/feedback/full-screen-spinner.tsx';
import { Notice } from '../../../shared/ui/feedback/notice.tsx';
import { toast } from '../../../shared/ui/feedback/toast.ts';
import { PasswordField } from '../../../shared/ui/fields/password-field.tsx';
import { useSignIn } from '../api/use-sign-in.ts';
import { AuthLayout } from './auth-layout.tsx';
import { EmailField } from './email-field.tsx';
import { OrganisationEntry } from './organisation-entry.tsx';
import { PasskeyEntry } from './passkey-entry.tsx';
import { ProviderEntry } from './provider-entry.tsx';
import { textLinkClassName } from './text-link-class-name.ts';

const LinkNotice = lazyPart(
  () => import('./link-notice.tsx'),
  (module) => module.LinkNotice,
);

const SecondStep = lazyPart(
  () => import('./second-step.tsx'),
  (module) => module.SecondStep,
);

/** Sign in. Whoever is signed in goes on to the page they came from, else to the dashboard. */
export function LoginScreen() {
  useDocumentTitle('Entrar');
  const session = useSession();
  const { from, notice, via } = useSearch({ from: '/login' });
  const { authLink } = useBackend();
  const email = useLocation({ select: ({ state }) => state.signUpEmail });
  if (session.status === 'signed-in') {
    if (session.pending.length > 0)
      return (
        <Suspense fallback={<FullScreenSpinner />}>
          <SecondStep />
        </Suspense>
      );
    return (
      <Suspense fallback={<FullScreenSpinner />}>
        {/* Whoever was to prove at a provider who they are, and did not. */}
        {authLink.kind === 'provider' && authLink.failed ? <LinkNotice link={authLink} via={via} /> : null}
        <Navigate to={from ?? '/dashboard'} replace />
      </Suspense>
    );
  }
  // Back from a provider or a mail, and about to be inside: a form would only flash by.
  const entering = authLink.kind === 'code' || (authLink.kind === 'provider' && !authLink.failed);
  if (session.status === 'loading' && entering) return <FullScreenSpinner />;
  // The link belongs to how they arrived, not to a sign-out later on.
  const arrived = session.status === 'signed-out' && !session.onPurpose && notice !== 'session-ended';
  return (
    <AuthLayout
      title="Entrar"
      lead={
        <>
          Ainda não tem conta?{' '}
          <Link to="/signup" search={{ from }} className={`hit-area ${textLinkClassName}`}>
            Criar conta
          </Link>
        </>
      }
    >
      <div className="flex flex-col gap-3 not-empty:mb-5">
        {notice === 'verify-email' ? (
          <Notice tone="success">{ACCOUNT_MESSAGES.signUp.checkMail}</Notice>
        ) : null}
        {notice === 'session-ended' ? (
          <Notice tone="warning">{ACCOUNT_MESSAGES.login.sessionEnded}</Notice>
        ) : null}
        {arrived && authLink.kind !== 'none' ? (
          <Suspense>
            <LinkNotice link={authLink} via={via} />
          </Suspense>
        ) : null}
      </div>
      <ProviderEntry from={from} />
      <LoginForm from={from} email={email} expired={arrived && isExpiredLink(authLink)} />
    </AuthLayout>
  );
}

const ResendConfirmation = lazyPart(
  () => import('./resend-confirmation.tsx'),
  (module) => module.ResendConfirmation,
);

interface LoginFormProps {
  readonly from: string | undefined;
  /** Of the account that was just made. */
  readonly email?: string | undefined;
  /** They came by a mail's link that came too late. */
  readonly expired: boolean;
}

const loadWords = () => import('../model/describe-auth-error.ts');

/** E-mail and password. Signing in changes the session; the screen around it then leads on. */
export function LoginForm({ from, email = '', expired }: LoginFormProps) {
  const signIn = useSignIn();
  useIdlePreload(loadWords);
  const captcha = useCaptcha();
  const [unconfirmed, setUnconfirmed] = useState<string | null>(null);
  const { register, handleSubmit, formState, setError, setFocus, trigger, getValues } = useForm({
    resolver: standardSchemaResolver(loginSchema),
    defaultValues: { email, password: '' },
  });

  const submit = useSingleFlight(async (form: LoginValues) => {
    setUnconfirmed(null);
    try {
      if ((await signIn(form, await captcha.take())) === 'second-step') return;
      toast.success(ACCOUNT_MESSAGES.login.done.title, ACCOUNT_MESSAGES.login.done.description);
    } catch (error) {
      // Where not even the words arrive, the network is away.
      const words = await loadWords().catch(() => null);
      const problem = words?.readAuthProblem(error);
      if (problem === 'email-not-confirmed') setUnconfirmed(form.email);
      const { title, description } = ACCOUNT_MESSAGES.login.failed;
      toast.error(title, words ? words.describeAuthError(error, description) : offlineMessage);
      // The toast goes; what is wrong stays beside its field.
      if (problem === 'invalid-credentials') setError('password', { message: 'Confira o e-mail e a senha.' });
      setFocus('password', { shouldSelect: true });
    }
  });
  const readEmail = async () =>
    (await trigger('email', { shouldFocus: true })) ? (getValues('email')?.trim() ?? null) : null;

  return (
    <form onSubmit={handleSubmit(submit)} noValidate className="flex flex-col gap-4">
      {unconfirmed || expired ? (
        <Suspense>
          <ResendConfirmation email={unconfirmed} readEmail={readEmail} from={from} captcha={captcha} />
        </Suspense>
      ) : null}
      <EmailField
        {...register('email')}
        autoComplete="username webauthn"
        error={formState.errors.email?.message}
      />
      <PasswordField
        {...register('password')}
        label="Senha"
        autoComplete="current-password"
        error={formState.errors.password?.message}
        aside={
          <Link
            to="/reset-password"
            className={`-my-2 py-2 text-sm pointer-coarse:my-0 pointer-coarse:py-3.5 ${textLinkClassName}`}
          >
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
      <PasskeyEntry captcha={captcha} />
      <OrganisationEntry from={from} readEmail={readEmail} captcha={captcha} />
    </form>
  );
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** With which address the account was made that is to be confirmed. Not in the address: that is kept and passed on. */
    signUpEmail?: string;
  }
}
