interface FirstPaint {
  readonly root: HTMLElement;
  /** Of this visit (PerformanceNavigationTiming). */
  readonly visit: string | undefined;
  readonly hash: string;
  /** Calls back once something was painted; later calls do no harm. */
  readonly whenPainted: (show: () => void) => void;
}

/**
 * The front page's first screen is laid out and painted alone, and the rest right after it: on a slow phone that is a fifth of the time
 * until something stands there. Whoever comes back, or to a place further down, gets the whole page at once: the browser leads them there.
 */
export function paintFirstScreen({ root, visit, hash, whenPainted }: FirstPaint): void {
  if (root.dataset['page'] !== 'front' || visit !== 'navigate' || hash !== '') return;
  root.dataset['first'] = '';
  whenPainted(() => {
    delete root.dataset['first'];
  });
}
