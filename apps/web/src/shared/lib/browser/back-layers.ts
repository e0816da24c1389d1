import type { RouterHistory } from '@tanstack/react-router';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Something lies over the page, which the way back closes. */
    layer?: boolean;
  }
}

/**
 * A step of the app's own, which no dialog holds up (use-back-dismisses.ts). To be asked takes a moment, too, in which the entry of a
 * layer that closes would be left instead of replaced.
 */
const UNASKED = { ignoreBlocker: true };

/** Histories on their way from a layer's entry back to the page's own: a moment later they are there. */
const leaving = new WeakSet<RouterHistory>();

/** Whether the history stands on a layer's entry, to stay there. */
export function isOnLayer(history: RouterHistory): boolean {
  return history.location.state.layer === true && !leaving.has(history);
}

/** Steps from a layer's entry back to the page's own, which is the same page without the layer. */
export function leaveLayer(history: RouterHistory): void {
  leaving.add(history);
  const stop = history.subscribe(() => {
    stop();
    leaving.delete(history);
  });
  history.back(UNASKED);
}

/** Whether an entry's state says nothing but what the router notes in each. */
const isBare = (state: object = {}) =>
  Object.entries(state).every(
    ([name, value]) => value === undefined || name === 'key' || name.startsWith('__'),
  );

/**
 * Lets what is opened from a layer take the place of the layer's entry: coming back from there must find the page, not
 * an entry on which nothing happens. Whoever goes on while a layer is being left goes from the page itself.
 */
export function letLayersGo(history: RouterHistory): RouterHistory {
  const { push, replace, location } = history;
  const { layer, ...state } = location.state;
  // Loaded anew with something open: it is closed now.
  if (layer) replace(location.href, state);

  const onceLeft = (next: () => void) => {
    if (!leaving.has(history)) return next();
    const stop = history.subscribe(() => {
      stop();
      next();
    });
  };
  const go: typeof push = (path, next) => {
    if (!isOnLayer(history)) push(path, next, UNASKED);
    // The page itself, chosen in what lay over it.
    else if (path === history.location.href && isBare(next)) leaveLayer(history);
    else replace(path, next, UNASKED);
  };
  return Object.assign(history, {
    push: ((path, next) => onceLeft(() => go(path, next))) as typeof push,
    replace: ((path, next) => onceLeft(() => replace(path, next, UNASKED))) as typeof replace,
  });
}
