import { Suspense, useEffect, useState } from 'react';
import { lazyPart } from '../../../shared/lib/browser/lazy-part.tsx';
import { whenIdle } from '../../../shared/lib/browser/when-idle.ts';
import type { SavedSearchesPanelProps } from './saved-searches-panel.tsx';

const SavedSearchesPanel = lazyPart(
  () => import('./saved-searches-panel.tsx'),
  (module) => module.SavedSearchesPanel,
);

/** The saved searches in the sidebar. Even whether there are any is asked in an idle moment. */
export function SavedSearchesHost(props: SavedSearchesPanelProps) {
  const [wanted, setWanted] = useState(false);
  useEffect(() => whenIdle(() => setWanted(true)), []);
  return wanted ? (
    <Suspense>
      <SavedSearchesPanel {...props} />
    </Suspense>
  ) : null;
}
