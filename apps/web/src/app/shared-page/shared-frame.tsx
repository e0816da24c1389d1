import type { ReactNode } from 'react';
import { SkipLink } from '../../features/shell/components/skip-link.tsx';
import { useSession } from '../../shared/lib/session/session-context.tsx';
import { FootLinks, Invitation } from '../../views/page-foot.tsx';
import { RouteLink, VisitorBar } from '../pages/visitor-page.tsx';

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
      <VisitorBar from={from} />
      <main
        id="page"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll container must be reachable with the keyboard
        tabIndex={0}
        className="relative flex min-h-0 flex-1 flex-col overflow-y-auto -outline-offset-2"
      >
        <div className="mx-auto w-full max-w-page flex-1 px-4 py-5 md:px-8 md:py-7">{children}</div>
        <div data-print="hide" className="mx-auto w-full max-w-page px-4 py-5 md:px-8">
          {visitor ? (
            <Invitation
              link={RouteLink}
              from={from}
              className="flex-wrap items-center justify-between bg-surface"
            />
          ) : null}
          <FootLinks link={RouteLink} className="mt-4" />
        </div>
      </main>
    </div>
  );
}
