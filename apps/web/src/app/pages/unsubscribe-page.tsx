import { SHARE_MAIL_MESSAGES } from '@linkoteca/domain/messages/sharing-messages';
import { getRouteApi } from '@tanstack/react-router';
import { UnsubscribeForm } from '../../features/share-mails/components/unsubscribe-form.tsx';
import { useDocumentTitle } from '../../shared/lib/browser/use-document-title.ts';
import { VisitorPage } from './visitor-page.tsx';

const route = getRouteApi('/unsubscribe');

/** Where the last line of an invitation mail leads; nobody needs an account. */
export function UnsubscribePage() {
  const { token } = route.useSearch();
  useDocumentTitle(SHARE_MAIL_MESSAGES.title);
  return (
    <VisitorPage className="gap-3 py-16">
      <h1 className="text-2xl font-semibold tracking-tight">{SHARE_MAIL_MESSAGES.title}</h1>
      <UnsubscribeForm token={token} />
    </VisitorPage>
  );
}
