import type { RouterHistory } from '@tanstack/react-router';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Something lies over the page, which the way back closes. */
    layer?: boolean;
  }
}

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
  history.back();
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
  const go: typeof push = (path, next, options) => {
    if (!isOnLayer(history)) push(path, next, options);
    // The page itself, chosen in what lay over it.
    else if (path === history.location.href && isBare(next)) leaveLayer(history);
    else replace(path, next, options);
  };
  return Object.assign(history, {
    push: ((...target) => onceLeft(() => go(...target))) as typeof push,
    replace: ((...target) => onceLeft(() => replace(...target))) as typeof replace,
  });
}
