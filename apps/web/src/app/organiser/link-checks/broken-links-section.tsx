import { OPERATORS } from '@linkoteca/domain/messages/search-messages';
import { Link } from '@tanstack/react-router';
import { LinkChecksPanel } from '../../../features/link-checks/components/link-checks-panel.tsx';
import { LINK_CHECK_MESSAGES as TEXT } from '../../../features/link-checks/model/link-check-messages.ts';
import { buttonClassName } from '../../../shared/ui/button-class-name.ts';

/** Whether one's links are looked at, among what can be done with one's data. */
export function BrokenLinksSection() {
  return (
    <section className="flex flex-col gap-3 border-t border-line pt-5" aria-labelledby="broken-links">
      <h2 id="broken-links" className="text-lg font-semibold">
        {TEXT.title}
      </h2>
      <LinkChecksPanel>
        <Link to="/search" search={{ q: OPERATORS.broken.name }} className={buttonClassName()}>
          {TEXT.open}
        </Link>
      </LinkChecksPanel>
    </section>
  );
}
