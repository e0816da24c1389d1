import { PUBLIC_PAGE_MESSAGES as TEXT } from '@linkoteca/domain/messages/public-page-messages';
import { Link } from '@tanstack/react-router';
import { buttonClassName } from '../../../shared/ui/button-class-name.ts';

/** The call to sign up, for visitors who are nobody's yet. `from`: the page to return to in the end. */
export function SharedInvitation({ from }: { readonly from: string }) {
  return (
    <section
      aria-labelledby="invitation"
      data-print="hide"
      className="flex flex-wrap items-center justify-between gap-4 rounded-lg border border-line bg-surface p-5"
    >
      <div>
        <h2 id="invitation" className="text-lg font-semibold text-ink">
          {TEXT.callTitle}
        </h2>
        <p className="mt-1 text-base text-ink-soft">{TEXT.callText}</p>
      </div>
      <Link to="/signup" search={{ from }} className={buttonClassName('secondary', 'large')}>
        {TEXT.callAction}
      </Link>
    </section>
  );
}
