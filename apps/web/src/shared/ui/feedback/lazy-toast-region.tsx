import { lazy, Suspense, useEffect, useState } from 'react';

const ToastRegion = lazy(() =>
  import('./toast-region.tsx').then(({ ToastRegion }) => ({ default: ToastRegion })),
);

/** The toast region, fetched right after the first paint: no screen needs a toast before that. */
export function LazyToastRegion() {
  const [painted, setPainted] = useState(false);
  useEffect(() => {
    const frame = requestAnimationFrame(() => setPainted(true));
    return () => cancelAnimationFrame(frame);
  }, []);
  return painted ? (
    <Suspense>
      <ToastRegion />
    </Suspense>
  ) : null;
}
