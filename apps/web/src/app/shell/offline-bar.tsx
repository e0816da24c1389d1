import { Suspense } from 'react';
import { useOnline } from '../../shared/lib/connection/connection-context.tsx';
import { lazyPart } from '../../shared/lib/lazy-part.tsx';
import { useIdlePreload } from '../../shared/lib/use-idle-preload.ts';

const loadMark = () => import('./offline-mark.tsx');
const OfflineMark = lazyPart(loadMark, (module) => module.OfflineMark);

/** The offline mark, when there is reason for it. Its code comes while there is still a network. */
export function OfflineBar() {
  const online = useOnline();
  useIdlePreload(loadMark);
  return online ? null : (
    <Suspense>
      <OfflineMark />
    </Suspense>
  );
}
