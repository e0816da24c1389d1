import { SHARING_WORDS } from '@linkoteca/domain/messages/sharing-messages';
import { Plus, Share2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { joinClassNames } from '../../../shared/lib/browser/join-class-names.ts';
import { Button } from '../../../shared/ui/button.tsx';
import type { LinkView } from '../model/link-view.ts';
import { LinkViewSwitch } from './link-view-switch.tsx';
import { SelectButton } from './select-button.tsx';

interface LinkToolbarProps {
  readonly view: LinkView;
  readonly onView: (view: LinkView) => void;
  /** Begins and ends selection mode. Null while there is nothing to select, or where nothing may be changed. */
  readonly onSelect: (() => void) | null;
  /** The links are on their way: what is for them has its place already. */
  readonly awaitsLinks?: boolean;
  /** Asks who may see the category. Null where it is someone else's. */
  readonly onShare?: (() => void) | null;
  /** What the plan lacks for it, said before the press; null where it lacks nothing. */
  readonly shareLock?: string | null;
  /** Joined to the button's right edge. */
  readonly shareMenu?: ReactNode;
  readonly onAdd: (() => void) | null;
  /** How full the plan is, where it has no room for another link. */
  readonly addLock?: string | null;
  /** In selection mode it keeps its place, but the selection bar lies over it; on phones, over the last button only. */
  readonly covered: boolean;
}

/** Grid, list or covers, selection mode, and the one filled button of the page, which on phones floats within thumb's reach. */
export function LinkToolbar({
  view,
  onView,
  onSelect,
  awaitsLinks = false,
  onShare,
  shareLock = null,
  shareMenu,
  onAdd,
  addLock = null,
  covered,
}: LinkToolbarProps) {
  return (
    <div data-link-toolbar className={joinClassNames('flex items-center gap-2', covered && 'md:invisible')}>
      <LinkViewSwitch view={view} onView={onView} />
      {onSelect ? <SelectButton pressed={covered} onPress={onSelect} disabled={awaitsLinks} /> : null}
      {onShare ? (
        <Button
          variant="secondary"
          icon={<Share2 aria-hidden />}
          aria-haspopup="dialog"
          aria-label={SHARING_WORDS.share}
          title={SHARING_WORDS.share}
          lock={shareLock}
          className={joinClassNames('pointer-coarse:min-w-11', Boolean(shareMenu) && 'rounded-r-none')}
          onClick={onShare}
        >
          {/* Beside the others it is more than phones and tablets hold; this icon speaks for itself. */}
          <span className="max-lg:hidden">{SHARING_WORDS.share}</span>
        </Button>
      ) : null}
      {onShare ? shareMenu : null}
      {onAdd ? (
        <Button
          variant="primary"
          icon={<Plus aria-hidden />}
          aria-keyshortcuts="n"
          title="Adicionar Link (N)"
          lock={addLock}
          className={joinClassNames(
            covered && 'invisible',
            'max-md:fixed max-md:right-4 max-md:bottom-[calc(1rem+var(--page-foot))] max-md:z-10 max-md:h-12 max-md:rounded-full max-md:px-5 max-md:shadow-float',
          )}
          onClick={onAdd}
        >
          Adicionar Link
        </Button>
      ) : null}
    </div>
  );
}
