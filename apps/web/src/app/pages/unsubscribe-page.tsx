import { SHARE_MAIL_MESSAGES } from '@linkoteca/domain/messages/sharing-messages';
import { getRouteApi } from '@tanstack/react-router';
import { UnsubscribeForm } from '../../features/share-mails/components/unsubscribe-form.tsx';
import { VisitorBar } from '../../features/shell/components/visitor-bar.tsx';
import { useDocumentTitle } from '../../shared/lib/use-document-title.ts';

const route = getRouteApi('/unsubscribe');

/** Where the last line of an invitation mail leads; nobody needs an account. */
export function UnsubscribePage() {
  const { token } = route.useSearch();
  useDocumentTitle(SHARE_MAIL_MESSAGES.title);
  return (
    <div className="flex min-h-dvh flex-col bg-paper">
      <VisitorBar />
      <main className="mx-auto flex w-full max-w-md flex-1 flex-col justify-center gap-3 px-6 py-16">
        <h1 className="text-2xl font-semibold tracking-tight">{SHARE_MAIL_MESSAGES.title}</h1>
        <UnsubscribeForm token={token} />
      </main>
    </div>
  );
}
