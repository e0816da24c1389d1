import { DELAY_MS } from '@linkoteca/domain/limits';
import { Navigate, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useSession } from '../../../shared/lib/session/session-context.tsx';
import { useDocumentTitle } from '../../../shared/lib/use-document-title.ts';
import { FullScreenSpinner } from '../../../shared/ui/full-screen-spinner.tsx';
import { Notice } from '../../../shared/ui/notice.tsx';
import { AuthLayout } from './auth-layout.tsx';
import { ChangePasswordForm } from './change-password-form.tsx';

/** Choose a new password, after a reset link or while signed in; then on to the dashboard after 2 s. */
export function ChangePasswordScreen() {
  useDocumentTitle('Criar nova senha');
  const session = useSession();
  const navigate = useNavigate();
  const [done, setDone] = useState(false);

  useEffect(() => {
    if (!done) return;
    const timer = setTimeout(
      () => void navigate({ to: '/dashboard', replace: true }),
      DELAY_MS.changePasswordRedirect,
    );
    return () => clearTimeout(timer);
  }, [done, navigate]);

  if (session.status === 'loading') return <FullScreenSpinner />;
  if (session.status === 'signed-out') return <Navigate to="/login" search={{}} replace />;
  return (
    <AuthLayout title="Criar nova senha" lead={session.person.email}>
      {done ? (
        <Notice tone="success">Pronto! Sua nova senha já vale. Levando você à sua biblioteca...</Notice>
      ) : (
        <ChangePasswordForm email={session.person.email} onDone={() => setDone(true)} />
      )}
    </AuthLayout>
  );
}
