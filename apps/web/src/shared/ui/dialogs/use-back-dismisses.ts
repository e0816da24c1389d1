import { useRouter } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';

/** Dialogs that are open, the topmost last. */
const dialogs: object[] = [];

/**
 * Lets a step in the history (a phone's button or gesture back) do to a dialog what its close button does: the page below it stays, and
 * what is typed is asked about. A step out of the app, from its first entry, is the browser's own. It has no entry of its own, as a layer has:
 * it may lie over one, and stay when it is asked to close.
 */
export function useBackDismisses(open: boolean, dismiss: () => void): void {
  const router = useRouter({ warn: false });
  const latest = useRef(dismiss);
  latest.current = dismiss;

  useEffect(() => {
    // Outside of a router there is no way back.
    if (!open || !router) return undefined;
    const self = {};
    const isTopmost = () => dialogs.at(-1) === self;
    dialogs.push(self);
    const release = router.history.block({
      enableBeforeUnload: false,
      blockerFn: ({ action, currentLocation, nextLocation }) => {
        if (action === 'PUSH' || action === 'REPLACE' || !isTopmost()) return false;
        // The history takes a step back by its length, and one of none would load the page anew.
        if (currentLocation.state.__TSR_index === nextLocation.state.__TSR_index) return false;
        // When the step has been taken back: where the dialog leads to when it closes is an entry after its own.
        window.addEventListener('popstate', () => isTopmost() && latest.current(), { once: true });
        return true;
      },
    });
    return () => {
      release();
      dialogs.splice(dialogs.indexOf(self), 1);
    };
  }, [open, router]);
}
