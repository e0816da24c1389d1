import { onlineManager } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { OfflineError } from '../../../shared/lib/connection/offline-error.ts';

/**
 * The address of the provider's page, when it may be gone to: encrypted, or one of our own origins (the payment emulator's pages
 * on a computer without a certificate). Anything else (`javascript:`, another site in the clear, no address) is null.
 * @param ownOrigins where this page comes from, and the services that it trusts with everything else.
 */
export function readDepartureAddress(value: unknown, ownOrigins: readonly string[]): string | null {
  if (typeof value !== 'string' || !URL.canParse(value)) return null;
  const { protocol, origin, href } = new URL(value);
  return protocol === 'https:' || (protocol === 'http:' && ownOrigins.includes(origin)) ? href : null;
}

/** When the browser has not left by then, it will not: the buttons come back. */
const GIVE_UP_MS = 15_000;

interface Trip {
  /** Which button leads there. */
  readonly key: string;
  /** Finds the address to go to. */
  readonly ask: () => Promise<string>;
  readonly explain: (error: unknown) => void;
  /** Milliseconds between the answer and leaving. */
  readonly delayMs?: number;
}

export interface Departure {
  /** The button of the trip that is under way; null while nobody leaves. */
  readonly leaving: string | null;
  /** Begins a trip unless one is under way. */
  readonly depart: (trip: Trip) => void;
}

/** Goes to another site's page. How is an argument, for tests without a browser. */
export type LeavePage = (address: string) => void;
const leaveByAddress: LeavePage = (address) => window.location.assign(address);

/**
 * Leads to the payment provider's pages, one trip at a time. Whoever comes back with the back button finds the page as the
 * browser kept it, so the trip ends then; it ends, too, when the screen is left before it began.
 */
export function useDeparture(leavePage: LeavePage = leaveByAddress): Departure {
  const [leaving, setLeaving] = useState<string | null>(null);
  const trip = useRef<Trip | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const stay = useCallback(() => {
    clearTimeout(timer.current);
    trip.current = null;
    setLeaving(null);
  }, []);

  useEffect(() => {
    const comeBack = ({ persisted }: PageTransitionEvent) => (persisted ? stay() : undefined);
    window.addEventListener('pageshow', comeBack);
    return () => {
      window.removeEventListener('pageshow', comeBack);
      stay();
    };
  }, [stay]);

  const depart = async (next: Trip) => {
    if (trip.current) return;
    trip.current = next;
    setLeaving(next.key);
    try {
      if (!onlineManager.isOnline()) throw new OfflineError();
      const address = await next.ask();
      if (trip.current !== next) return;
      timer.current = setTimeout(() => {
        timer.current = setTimeout(stay, GIVE_UP_MS);
        leavePage(address);
      }, next.delayMs ?? 0);
    } catch (error) {
      if (trip.current !== next) return;
      stay();
      next.explain(error);
    }
  };

  return { leaving, depart: (next) => void depart(next) };
}
