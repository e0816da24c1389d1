import { getRouteApi } from '@tanstack/react-router';
import { LoginGuard } from '../../features/auth/components/login-guard.tsx';
import { ConsentScreen } from '../../features/programs/components/consent-screen.tsx';
import { CONSENT_MESSAGES } from '../../features/programs/model/program-messages.ts';
import { useDocumentTitle } from '../../shared/lib/browser/use-document-title.ts';
import { VisitorPage } from './visitor-page.tsx';

const route = getRouteApi('/oauth/consent');

/** Where a program sends a person to be let in. Whoever is not signed in does that first, and comes back. */
export function ConsentPage() {
  const { authorization_id: id } = route.useSearch();
  useDocumentTitle(CONSENT_MESSAGES.title);
  return (
    <LoginGuard>
      <VisitorPage className="gap-4 py-12">
        <ConsentScreen key={id} id={id} />
      </VisitorPage>
    </LoginGuard>
  );
}
