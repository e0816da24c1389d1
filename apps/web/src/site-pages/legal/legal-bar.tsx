import { PUBLIC_PAGE_MESSAGES as TEXT } from '@linkoteca/domain/public-page-messages';
import { buttonClassName } from '../../shared/ui/button-class-name.ts';
import { Logo } from '../../shared/ui/logo.tsx';

/** The bar of the legal pages: the way in for visitors, the way back for whoever is signed in; both begin at /login. */
export function LegalBar() {
  return (
    <header
      data-print="hide"
      className="flex h-(--topbar-height) items-center justify-between gap-3 border-b border-line bg-paper px-4 max-md:h-(--mobile-header-offset) md:px-8"
    >
      <a href="/" className="inline-flex rounded" aria-label="Linkoteca, página inicial">
        <Logo />
      </a>
      <nav aria-label="Conta" className="flex shrink-0 items-center gap-1.5">
        <a data-for="visitor" href="/login" className={buttonClassName('quiet')}>
          {TEXT.signIn}
        </a>
        <a data-for="visitor" href="/signup" className={buttonClassName('primary')}>
          {TEXT.signUp}
        </a>
        {/* It leads whoever is signed in on to their links, and shows the form if the saved sign-in is dead. */}
        <a data-for="member" href="/login" className={buttonClassName('secondary')}>
          {TEXT.openLibrary}
        </a>
      </nav>
    </header>
  );
}
