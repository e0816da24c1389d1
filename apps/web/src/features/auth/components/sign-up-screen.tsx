import { Link, Navigate, useSearch } from '@tanstack/react-router';
import { useSession } from '../../../shared/lib/session/session-context.tsx';
import { useDocumentTitle } from '../../../shared/lib/use-document-title.ts';
import { AuthLayout } from './auth-layout.tsx';
import { GoogleEntry } from './google-entry.tsx';
import { SignUpForm } from './sign-up-form.tsx';
import { textLinkClassName } from './text-link-class-name.ts';

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
          <Link to="/login" search={{ from }} className={textLinkClassName}>
            Entrar
          </Link>
        </>
      }
    >
      <GoogleEntry from={from} />
      <SignUpForm from={from} />
    </AuthLayout>
  );
}
