import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { SharedInvitation } from '../../features/sharing/components/shared-invitation.tsx';
import { SkipLink } from '../../features/shell/components/skip-link.tsx';
import { VisitorBar } from '../../features/shell/components/visitor-bar.tsx';
import { useSession } from '../../shared/lib/session/session-context.tsx';
import { Announcer } from '../../shared/ui/announcer.tsx';

interface SharedFrameProps {
  /** The page itself, to return to after signing in. */
  readonly from: string;
  readonly children: ReactNode;
}

/** What is around a shared category: the visitors' bar, and a page that scrolls in its own container, as in the shell. */
export function SharedFrame({ from, children }: SharedFrameProps) {
  const visitor = useSession().status === 'signed-out';
  return (
    <div className="flex h-[calc(100dvh-var(--strip-height))] flex-col overflow-hidden bg-paper print:h-auto print:overflow-visible">
      <SkipLink />
      <Announcer />
      <VisitorBar from={from} />
      <main
        id="page"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll container must be reachable with the keyboard
        tabIndex={0}
        className="relative flex min-h-0 flex-1 flex-col overflow-y-auto -outline-offset-2"
      >
        <div className="mx-auto w-full max-w-page flex-1 px-4 py-5 md:px-8 md:py-7">{children}</div>
        <div className="mx-auto w-full max-w-page px-4 py-5 md:px-8">
          {visitor ? <SharedInvitation from={from} /> : null}
          <nav aria-label="Rodapé" data-print="hide" className="mt-4 flex gap-5 text-sm text-ink-faint">
            <Link to="/terms" className="rounded-sm py-1 hover:text-ink hover:underline">
              Termos de uso
            </Link>
            <Link to="/privacy-policy" className="rounded-sm py-1 hover:text-ink hover:underline">
              Política de privacidade
            </Link>
          </nav>
        </div>
      </main>
    </div>
  );
}
