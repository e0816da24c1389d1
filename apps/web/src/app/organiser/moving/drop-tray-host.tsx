import { Suspense } from 'react';
import { LINK_DRAG } from '../../../features/links/model/link-drag.ts';
import { lazyPart } from '../../../shared/lib/browser/lazy-part.tsx';
import { useIdlePreload } from '../../../shared/lib/browser/use-idle-preload.ts';
import { useDrag } from '../../../shared/lib/drag-and-drop/drag-state.ts';

const loadTray = () => import('./drop-tray.tsx');
const DropTray = lazyPart(loadTray, (module) => module.DropTray);

/** Stands where the tree is not on the screen: shows the categories while links are dragged. */
export function DropTrayHost({ side }: { readonly side: 'foot' | 'start' }) {
  const drag = useDrag();
  useIdlePreload(loadTray);
  return drag?.load.kind === LINK_DRAG ? (
    <Suspense>
      <DropTray drag={drag} side={side} />
    </Suspense>
  ) : null;
}
