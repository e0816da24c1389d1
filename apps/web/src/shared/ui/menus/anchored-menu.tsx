import { Suspense, useState } from 'react';
import { lazyPart } from '../../lib/browser/lazy-part.tsx';
import { useIdlePreload } from '../../lib/browser/use-idle-preload.ts';
import type { AnchoredMenuProps } from './anchored-menu-props.ts';

const loadPopup = () => import('./anchored-menu-popup.tsx');
const Popup = lazyPart(loadPopup, (module) => module.AnchoredMenuPopup);

/**
 * One menu for a whole list, opened beside whichever row's button was clicked. A menu mounted in each row halves
 * scrolling speed. Focus goes back to the anchor; give the button aria-haspopup="menu" and aria-expanded.
 * Its code comes in an idle moment, at the latest with the first click.
 */
export function AnchoredMenu(props: AnchoredMenuProps) {
  const [needed, setNeeded] = useState(false);
  useIdlePreload(loadPopup);
  if (props.anchor && !needed) setNeeded(true);
  return needed ? (
    <Suspense>
      <Popup {...props} />
    </Suspense>
  ) : null;
}
