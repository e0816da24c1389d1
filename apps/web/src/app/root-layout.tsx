import { Outlet, useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { GuardNoticeProvider } from '../features/auth/components/guard-notice.tsx';
import { VersionFoot } from '../features/updates/components/version-foot.tsx';
import { useSession } from '../shared/lib/session/session-context.tsx';

/**
 * Around every route: the guard's wait, the way to a new password for whoever came by a reset link, and below the page
 * the offer of a new version.
 */
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
      <VersionFoot />
    </GuardNoticeProvider>
  );
}
