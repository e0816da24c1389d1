import { ACCOUNT_MESSAGES } from '@linkoteca/domain/account-messages';
import { Link, Navigate, useSearch } from '@tanstack/react-router';
import { useSession } from '../../../shared/lib/session/session-context.tsx';
import { useBackend } from '../../../shared/lib/supabase/backend-context.tsx';
import { useDocumentTitle } from '../../../shared/lib/use-document-title.ts';
import { Notice } from '../../../shared/ui/notice.tsx';
import { describeAuthLink } from '../model/describe-auth-link.ts';
import { AuthLayout } from './auth-layout.tsx';
import { GoogleButton } from './google-button.tsx';
import { LoginForm } from './login-form.tsx';
import { textLinkClassName } from './text-link-class-name.ts';

/** Sign in. Whoever is signed in goes on to the page they came from, else to the dashboard. */
export function LoginScreen() {
  useDocumentTitle('Entrar');
  const session = useSession();
  const { from, notice } = useSearch({ from: '/login' });
  const { authLink } = useBackend();
  if (session.status === 'signed-in') return <Navigate to={from ?? '/dashboard'} replace />;
  const linkNotice = session.status === 'signed-out' ? describeAuthLink(authLink) : null;
  return (
    <AuthLayout
      title="Entrar"
      lead={
        <>
          Ainda não tem conta?{' '}
          <Link to="/signup" className={textLinkClassName}>
            Criar conta
          </Link>
        </>
      }
    >
      <div className="flex flex-col gap-3 not-empty:mb-5">
        {notice === 'verify-email' ? (
          <Notice tone="success">{ACCOUNT_MESSAGES.signUp.checkMail}</Notice>
        ) : null}
        {linkNotice ? <Notice tone={linkNotice.tone}>{linkNotice.text}</Notice> : null}
      </div>
      <GoogleButton path={from ?? '/dashboard'} />
      <LoginForm />
    </AuthLayout>
  );
}
