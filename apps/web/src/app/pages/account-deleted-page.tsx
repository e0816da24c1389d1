import { formatLongDate } from '@linkoteca/domain/dates';
import { ACCOUNT_LIFE_MESSAGES } from '@linkoteca/domain/messages/account-life-messages';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useDocumentTitle } from '../../shared/lib/browser/use-document-title.ts';
import { buttonClassName } from '../../shared/ui/button-class-name.ts';
import { VisitorPage } from './visitor-page.tsx';

const route = getRouteApi('/account-deleted');
const words = ACCOUNT_LIFE_MESSAGES.deletion;
const DAY_MS = 86_400_000;

/** Where somebody arrives who has just deleted their account. */
export function AccountDeletedPage() {
  const { until } = route.useSearch();
  useDocumentTitle(words.farewell);
  // The last whole day, as the mail says.
  const day = formatLongDate(new Date(Date.parse(until) - DAY_MS));
  return (
    <VisitorPage className="gap-3 py-16">
      <h1 className="text-2xl font-semibold tracking-tight">{words.farewell}</h1>
      <p className="text-base text-ink-soft">{words.farewellUntil(day)}</p>
      <div className="flex flex-wrap gap-2">
        <Link to="/login" className={buttonClassName('secondary', 'large')}>
          {words.restore}
        </Link>
      </div>
    </VisitorPage>
  );
}
