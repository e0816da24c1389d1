import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { joinClassNames } from '../../shared/lib/browser/join-class-names.ts';
import { useSession } from '../../shared/lib/session/session-context.tsx';
import { PageBar } from '../../views/page-bar.tsx';
import type { SiteLinkProps } from '../../views/site-link.ts';

interface VisitorPageProps {
  /** How its content stands. */
  readonly className?: string;
  readonly children: ReactNode;
}

/** A page that needs no session: the bar, and a few words in the middle. */
export function VisitorPage({ className, children }: VisitorPageProps) {
  return (
    <div className="flex min-h-dvh flex-col bg-paper">
      <VisitorBar />
      <main
        className={joinClassNames(
          'mx-auto flex w-full max-w-md flex-1 flex-col justify-center px-6',
          className,
        )}
      >
        {children}
      </main>
    </div>
  );
}

/** @param from the page to return to after signing in. */
export function VisitorBar({ from }: { readonly from?: string }) {
  const { status } = useSession();
  return <PageBar link={RouteLink} readers={READERS[status]} from={from} />;
}

const READERS = { 'signed-out': ['visitor'], 'signed-in': ['member'], loading: [] } as const;

/** A link of the shared views, as the router draws it. */
export function RouteLink({ to, from, ...look }: SiteLinkProps) {
  return <Link to={to} search={{ from }} {...look} />;
}
