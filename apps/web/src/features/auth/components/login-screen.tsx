import { ACCOUNT_MESSAGES } from '@linkoteca/domain/account-messages';
import { Link, Navigate, useSearch } from '@tanstack/react-router';
import { Suspense } from 'react';
import { lazyPart } from '../../../shared/lib/lazy-part.tsx';
import { useSession } from '../../../shared/lib/session/session-context.tsx';
import { useBackend } from '../../../shared/lib/supabase/backend-context.tsx';
import { useDocumentTitle } from '../../../shared/lib/use-document-title.ts';
import { FullScreenSpinner } from '../../../shared/ui/full-screen-spinner.tsx';
import { Notice } from '../../../shared/ui/notice.tsx';
import { AuthLayout } from './auth-layout.tsx';
import { GoogleEntry } from './google-entry.tsx';
import { LoginForm } from './login-form.tsx';
import { textLinkClassName } from './text-link-class-name.ts';

const LinkNotice = lazyPart(
  () => import('./link-notice.tsx'),
  (module) => module.LinkNotice,
);

/** Sign in. Whoever is signed in goes on to the page they came from, else to the dashboard. */
export function LoginScreen() {
  useDocumentTitle('Entrar');
  const session = useSession();
  const { from, notice, via } = useSearch({ from: '/login' });
  const { authLink } = useBackend();
  if (session.status === 'signed-in') {
    return (
      <Suspense fallback={<FullScreenSpinner />}>
        {/* Whoever was to prove at Google who they are, and did not. */}
        {authLink.kind === 'google' && authLink.failed ? <LinkNotice link={authLink} viaGoogle /> : null}
        <Navigate to={from ?? '/dashboard'} replace />
      </Suspense>
    );
  }
  // Back from Google or a mail, and about to be inside: a form would only flash by.
  const entering = authLink.kind === 'code' || (authLink.kind === 'google' && !authLink.failed);
  if (session.status === 'loading' && entering) return <FullScreenSpinner />;
  // The link belongs to how they arrived, not to a sign-out later on.
  const arrived = session.status === 'signed-out' && !session.onPurpose && notice !== 'session-ended';
  return (
    <AuthLayout
      title="Entrar"
      lead={
        <>
          Ainda não tem conta?{' '}
          <Link to="/signup" search={{ from }} className={textLinkClassName}>
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
            <LinkNotice link={authLink} viaGoogle={via === 'google'} />
          </Suspense>
        ) : null}
      </div>
      <GoogleEntry from={from} />
      <LoginForm from={from} />
    </AuthLayout>
  );
}
