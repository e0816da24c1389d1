import { Link } from '@tanstack/react-router';
import { useSession } from '../../../shared/lib/session/session-context.tsx';
import { buttonClassName } from '../../../shared/ui/button-class-name.ts';
import { Logo } from '../../../shared/ui/logo.tsx';

/**
 * The top bar of pages that need no session, as high as the shell's: the way in for visitors, the way back for whoever is
 * signed in. Nothing at the right while that is not known yet.
 * @param from the page to return to after signing in.
 */
export function VisitorBar({ from }: { readonly from?: string }) {
  const { status } = useSession();
  return (
    <header
      data-print="hide"
      className="flex h-(--topbar-height) shrink-0 items-center justify-between gap-3 border-b border-line bg-paper px-4 max-md:h-(--mobile-header-offset) md:px-8"
    >
      <Link to="/" className="inline-flex rounded" aria-label="Linkoteca, página inicial">
        <Logo />
      </Link>
      <nav aria-label="Conta" className="flex shrink-0 items-center gap-1.5">
        {status === 'signed-out' ? (
          <>
            <Link to="/login" search={{ from }} className={buttonClassName('quiet')}>
              Entrar
            </Link>
            <Link to="/signup" search={{ from }} className={buttonClassName('primary')}>
              Criar Conta
            </Link>
          </>
        ) : status === 'signed-in' ? (
          <Link to="/dashboard" className={buttonClassName('secondary')}>
            Abrir meus links
          </Link>
        ) : null}
      </nav>
    </header>
  );
}
