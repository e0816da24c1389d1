import { Outlet, useLocation, useNavigate, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { GuardNoticeProvider } from '../features/auth/components/guard-notice.tsx';
import { VersionFoot } from '../features/updates/components/version-foot.tsx';
import { announce } from '../shared/lib/browser/announce.ts';
import { useSession } from '../shared/lib/session/session-context.tsx';
import { Announcer } from '../shared/ui/feedback/announcer.tsx';

/**
 * Around every route: the guard's wait, the way to a new password for whoever came by a reset link, what is said to a screen
 * reader, and below the page the offer of a new version.
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
      <Announcer />
      <PageAnnouncement />
      <Outlet />
      <VersionFoot />
    </GuardNoticeProvider>
  );
}

/** Says which page has come, as a browser does of pages that it loads. Shows nothing. */
function PageAnnouncement() {
  const router = useRouter();
  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
        if (fromLocation && pathChanged) announce(document.title);
      }),
    [router],
  );
  return null;
}
