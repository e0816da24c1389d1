import { UNSUBSCRIBE_MESSAGES } from '@linkoteca/domain/messages/unsubscribe-messages';
import { getRouteApi } from '@tanstack/react-router';
import { UnsubscribeForm } from '../../features/share-mails/components/unsubscribe-form.tsx';
import { useDocumentTitle } from '../../shared/lib/browser/use-document-title.ts';
import { VisitorPage } from './visitor-page.tsx';

const route = getRouteApi('/unsubscribe');

/** Where the last line of a mail about sharing, or of the daily one, leads; nobody needs an account. */
export function UnsubscribePage() {
  const { token, mail = 'share' } = route.useSearch();
  const { title } = UNSUBSCRIBE_MESSAGES[mail];
  useDocumentTitle(title);
  return (
    <VisitorPage className="gap-3 py-16">
      <h1 className="text-2xl font-semibold tracking-tight">{title}</h1>
      <UnsubscribeForm token={token} mail={mail} />
    </VisitorPage>
  );
}
