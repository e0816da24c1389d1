import { Link, Navigate } from '@tanstack/react-router';
import { useSession } from '../../../shared/lib/session/session-context.tsx';
import { useDocumentTitle } from '../../../shared/lib/use-document-title.ts';
import { AuthLayout } from './auth-layout.tsx';
import { GoogleButton } from './google-button.tsx';
import { SignUpForm } from './sign-up-form.tsx';
import { textLinkClassName } from './text-link-class-name.ts';

/** Create an account. */
export function SignUpScreen() {
  useDocumentTitle('Criar conta');
  const session = useSession();
  if (session.status === 'signed-in') return <Navigate to="/dashboard" replace />;
  return (
    <AuthLayout
      title="Criar conta"
      lead={
        <>
          Já tem conta?{' '}
          <Link to="/login" className={textLinkClassName}>
            Entrar
          </Link>
        </>
      }
    >
      <GoogleButton path="/dashboard" />
      <SignUpForm />
    </AuthLayout>
  );
}
