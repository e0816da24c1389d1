import { PUBLIC_PAGE_MESSAGES as TEXT } from '@linkoteca/domain/public-page-messages';
import { type SharedPage, type SharedView, sharedPageCursor } from '@linkoteca/domain/shared-page';
import { buttonClassName } from '../shared/ui/button-class-name.ts';
import { pageHref } from './page-href.ts';

interface PageTurnerProps {
  readonly page: SharedPage;
  readonly view: SharedView;
}

/** The way to older links and back, as plain links; nothing where everything fits on one page. */
export function PageTurner({ page: { category, links, hasOlder, before }, view }: PageTurnerProps) {
  const last = links.at(-1);
  if (before === null && !hasOlder) return null;
  return (
    <nav aria-label={TEXT.pages} data-print="hide" className="mt-6 flex flex-wrap justify-center gap-2">
      {before === null ? null : (
        <a href={pageHref(category, { view })} className={buttonClassName('quiet', 'large')}>
          {TEXT.newest}
        </a>
      )}
      {hasOlder && last ? (
        <a
          rel="next"
          href={pageHref(category, { view, before: sharedPageCursor(last) })}
          className={buttonClassName('secondary', 'large')}
        >
          {TEXT.older}
        </a>
      ) : null}
    </nav>
  );
}
