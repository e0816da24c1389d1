import { ChevronDown } from 'lucide-react';
import { Suspense, useState } from 'react';
import { lazyPart } from '../../../shared/lib/browser/lazy-part.tsx';
import { useIdlePreload } from '../../../shared/lib/browser/use-idle-preload.ts';
import { SHARE_MENU_WORDS } from '../model/share-menu-words.ts';
import type { ShareMenuProps } from './share-menu-popup.tsx';

const loadPopup = () => import('./share-menu-popup.tsx');
const ShareMenuPopup = lazyPart(loadPopup, (module) => module.ShareMenuPopup);

/** Beside 'Compartilhar': the shorter ways to share. Their code comes in an idle moment, at the latest with the first press. */
export function ShareMenu(props: ShareMenuProps) {
  const [anchor, setAnchor] = useState<Element | null>(null);
  const [needed, setNeeded] = useState(false);
  useIdlePreload(loadPopup);
  const { open } = SHARE_MENU_WORDS;
  return (
    <>
      <button
        type="button"
        aria-label={open}
        title={open}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={({ currentTarget }) => {
          setAnchor(currentTarget);
          setNeeded(true);
        }}
        className="-ml-2 inline-flex h-8 w-8 shrink-0 items-center justify-center rounded-r border border-l-0 border-edge-soft bg-surface text-ink-soft transition-colors hover:bg-hover hover:text-ink active:bg-press pointer-coarse:h-11 pointer-coarse:w-11 [&_svg]:size-4"
      >
        <ChevronDown aria-hidden />
      </button>
      {needed ? (
        <Suspense>
          <ShareMenuPopup {...props} anchor={anchor} onClose={() => setAnchor(null)} />
        </Suspense>
      ) : null}
    </>
  );
}
