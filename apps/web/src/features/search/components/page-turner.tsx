import { Link } from '@tanstack/react-router';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { buttonClassName } from '../../../shared/ui/button-class-name.ts';

interface PageTurnerProps {
  readonly term: string;
  readonly page: number;
  readonly hasNext: boolean;
}

/** To the page before and the page after. */
export function PageTurner({ term, page, hasNext }: PageTurnerProps) {
  return (
    <nav aria-label="Páginas de resultados" className="mt-4 flex items-center justify-between gap-3">
      <Turn term={term} page={page - 1} possible={page > 1}>
        <ChevronLeft aria-hidden />
        Anterior
      </Turn>
      <p className="text-sm text-ink-soft tabular-nums">Página {page}</p>
      <Turn term={term} page={page + 1} possible={hasNext}>
        Próxima
        <ChevronRight aria-hidden />
      </Turn>
    </nav>
  );
}

interface TurnProps {
  readonly term: string;
  readonly page: number;
  readonly possible: boolean;
  readonly children: ReactNode;
}

/** Where there is no such page the link stays in its place without leading anywhere. */
function Turn({ term, page, possible, children }: TurnProps) {
  const look = buttonClassName('secondary', 'medium');
  if (!possible) {
    return (
      // biome-ignore lint/a11y/useFocusableInteractive: a link that leads nowhere takes no focus
      // biome-ignore lint/a11y/useSemanticElements: an anchor without an address is no link to a screen reader
      <span role="link" aria-disabled="true" className={`${look} pointer-events-none opacity-50`}>
        {children}
      </span>
    );
  }
  return (
    <Link to="/search" search={{ q: term, page }} className={look}>
      {children}
    </Link>
  );
}
