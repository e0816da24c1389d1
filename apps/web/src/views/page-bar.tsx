import { buttonClassName } from '../shared/ui/button-class-name.ts';
import { Logo } from '../shared/ui/logo.tsx';
import type { SiteLink } from './site-link.ts';

interface PageBarProps {
  readonly link: SiteLink;
  /** Who may be reading: a drawn page offers both ways, and its style hides one. Nobody while it is not known yet. */
  readonly readers: readonly ('visitor' | 'member')[];
  /** The page to return to after signing in. */
  readonly from?: string | undefined;
  /** The way back of whoever is signed in. */
  readonly back?: '/dashboard' | '/login';
}

/** The top bar of pages that need no session, as high as the organiser's: the way in for visitors, the way back for members. */
export function PageBar({ link: Link, readers, from, back = '/dashboard' }: PageBarProps) {
  return (
    <header
      data-print="hide"
      className="flex h-(--topbar-height) shrink-0 items-center justify-between gap-3 border-b border-line bg-paper px-4 max-md:h-(--mobile-header-offset) md:px-8"
    >
      <Link to="/" className="hit-area inline-flex rounded" aria-label="Linkoteca, página inicial">
        <Logo />
      </Link>
      <nav aria-label="Conta" className="flex shrink-0 items-center gap-1.5">
        {readers.includes('visitor') ? (
          <>
            <Link to="/login" from={from} data-for="visitor" className={buttonClassName('quiet')}>
              Entrar
            </Link>
            <Link to="/signup" from={from} data-for="visitor" className={buttonClassName('primary')}>
              Criar Conta
            </Link>
          </>
        ) : null}
        {readers.includes('member') ? (
          <Link to={back} data-for="member" className={buttonClassName('secondary')}>
            Abrir meus links
          </Link>
        ) : null}
      </nav>
    </header>
  );
}
