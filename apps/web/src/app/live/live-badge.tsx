import { DELAY_MS } from '@linkoteca/domain/limits';
import { useEffect, useRef, useState } from 'react';
import { announce } from '../../shared/lib/browser/announce.ts';
import { useLiveView } from './live-context.tsx';
import { REALTIME_MESSAGES } from './realtime-messages.ts';

/** Who listens to the screen is told of a lasting stream of changes only so often. Milliseconds. */
const QUIET_MS = 30_000;

/** Shows for three seconds that something has changed because of somebody else. It covers nothing that can be pressed. */
export function LiveBadge() {
  const { newsCount } = useLiveView();
  const [shown, setShown] = useState(false);
  const announcedAt = useRef(Number.NEGATIVE_INFINITY);

  useEffect(() => {
    if (newsCount === 0) return undefined;
    setShown(true);
    if (performance.now() - announcedAt.current >= QUIET_MS) {
      announcedAt.current = performance.now();
      announce(REALTIME_MESSAGES.announcement);
    }
    const timer = setTimeout(() => setShown(false), DELAY_MS.realtimeBadge);
    return () => clearTimeout(timer);
  }, [newsCount]);

  if (!shown) return null;
  return (
    // Not read out: the announcement is.
    <div
      aria-hidden="true"
      data-print="hide"
      data-live-badge
      className="pointer-events-none fixed inset-x-0 bottom-[calc(1rem+var(--page-foot))] z-10 flex justify-center"
    >
      <span className="flex h-8 items-center gap-2 rounded-lg border border-line bg-surface px-3 text-sm font-medium text-ink shadow-float">
        <span className="size-2 rounded-full bg-accent" />
        {REALTIME_MESSAGES.badge}
      </span>
    </div>
  );
}
