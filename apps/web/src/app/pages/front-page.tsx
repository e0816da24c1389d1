import { Navigate, useLocation } from '@tanstack/react-router';
import { useSession } from '../../shared/lib/session/session-context.tsx';
import { FullScreenSpinner } from '../../shared/ui/feedback/full-screen-spinner.tsx';
import { RevokedScreen, UncheckedScreen } from '../shared-page/access-screens.tsx';
import { DrawnPage } from './drawn-page.tsx';
import { VisitorPage } from './visitor-page.tsx';

/**
 * / inside the app: signed-in people go to their dashboard, visitors to the page that the server has drawn. Whoever was sent
 * here from a shared category first reads why. Where the server has no page of its own, visitors sign in.
 */
export function FrontPage() {
  const session = useSession();
  const { pathname, state } = useLocation();
  const { accessRevoked, accessUnchecked } = state;
  // On the way to another page the location is that page's already.
  if (session.status === 'loading' || pathname !== '/') return <FullScreenSpinner />;
  if (accessRevoked) {
    return (
      <VisitorPage className="py-8">
        <RevokedScreen />
      </VisitorPage>
    );
  }
  if (session.status === 'signed-in') return <Navigate to="/dashboard" replace />;
  if (accessUnchecked) {
    return (
      <VisitorPage className="py-8">
        <UncheckedScreen />
      </VisitorPage>
    );
  }
  return <DrawnPage otherwise={<Navigate to="/login" replace />} />;
}
