import { Suspense } from 'react';
import { lazyPart } from '../../../shared/lib/browser/lazy-part.tsx';
import { useIdlePreload } from '../../../shared/lib/browser/use-idle-preload.ts';
import type { FavoritesPanelProps } from './favorites-panel.tsx';
import { loadToggle } from './use-stars.ts';

const loadPanel = () => import('./favorites-panel.tsx');
const loadAll = () => Promise.all([loadPanel(), loadToggle()]);
const FavoritesPanel = lazyPart(loadPanel, (module) => module.FavoritesPanel);

/** The favourites in the sidebar; nothing where nothing is starred. */
export function FavoritesHost(props: FavoritesPanelProps) {
  useIdlePreload(loadAll);
  return props.stars.favorites.length > 0 ? (
    <Suspense>
      <FavoritesPanel {...props} />
    </Suspense>
  ) : null;
}
