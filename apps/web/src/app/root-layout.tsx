import { Outlet, useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { GuardNoticeProvider } from '../features/auth/components/guard-notice.tsx';
import { useSession } from '../shared/lib/session/session-context.tsx';

/** Around every route: the guard's wait, and the way to a new password for whoever came by a reset link. */
export function RootLayout() {
  const session = useSession();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const recovering = session.status === 'signed-in' && session.recovering;

  useEffect(() => {
    if (recovering && pathname !== '/change-password')
      void navigate({ to: '/change-password', replace: true });
  }, [recovering, pathname, navigate]);

  return (
    <GuardNoticeProvider>
      <Outlet />
    </GuardNoticeProvider>
  );
}
