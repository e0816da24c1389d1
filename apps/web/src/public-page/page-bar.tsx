import { PUBLIC_PAGE_MESSAGES as TEXT } from '@linkoteca/domain/public-page-messages';
import type { SharedCategory } from '@linkoteca/domain/shared-page';
import { buttonClassName } from '../shared/ui/button-class-name.ts';
import { Logo } from '../shared/ui/logo.tsx';
import { appHref } from './page-href.ts';

/** The app's bar of pages that need no session: the way in, or the way back. */
export function PageBar({ category }: { readonly category: SharedCategory }) {
  const from = `from=${encodeURIComponent(appHref(category))}`;
  return (
    <header
      data-print="hide"
      className="flex h-(--topbar-height) shrink-0 items-center justify-between gap-3 border-b border-line bg-paper px-4 max-md:h-(--mobile-header-offset) md:px-8"
    >
      <a href="/" className="inline-flex rounded" aria-label="Linkoteca, página inicial">
        <Logo />
      </a>
      <nav aria-label="Conta" className="flex shrink-0 items-center gap-1.5">
        <a data-for="visitor" href={`/login?${from}`} className={buttonClassName('quiet')}>
          {TEXT.signIn}
        </a>
        <a data-for="visitor" href={`/signup?${from}`} className={buttonClassName('primary')}>
          {TEXT.signUp}
        </a>
        <a data-for="member" href="/dashboard" className={buttonClassName('secondary')}>
          {TEXT.openLibrary}
        </a>
      </nav>
    </header>
  );
}
