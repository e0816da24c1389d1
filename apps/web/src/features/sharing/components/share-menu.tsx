import { type SharingMode, sharedPath } from '@linkoteca/domain/sharing';
import { ChevronDown, Globe, Link2, Mail, MessageCircle, Share, SlidersHorizontal } from 'lucide-react';
import { useState } from 'react';
import { copyLink } from '../../../shared/lib/browser/copy-link.ts';
import { AnchoredMenu } from '../../../shared/ui/menus/anchored-menu.tsx';
import { MenuItem } from '../../../shared/ui/menus/menu-item.tsx';
import { MenuSeparator } from '../../../shared/ui/menus/menu-separator.tsx';
import type { SharedSubject } from '../api/notify-invited.ts';
import { SHARE_MENU_WORDS } from '../model/share-menu-words.ts';
import { type PublishOptions, usePublish } from '../model/use-publish.ts';

interface ShareMenuProps extends PublishOptions {
  readonly category: SharedSubject;
  readonly mode: SharingMode;
  /** Opens the dialog with every choice. */
  readonly onMore: () => void;
}

/** Beside 'Compartilhar': what most people want, in one act, and the ways by which an address travels. */
export function ShareMenu({ category, mode, onMore, ...options }: ShareMenuProps) {
  const [anchor, setAnchor] = useState<Element | null>(null);
  const publish = usePublish(options);
  const words = SHARE_MENU_WORDS;
  const address = `${window.location.origin}${sharedPath(category)}`;
  const message = `${category.name}: ${address}`;
  const visit = (url: string) => window.open(url, '_blank', 'noopener,noreferrer');
  return (
    <>
      <button
        type="button"
        aria-label={words.open}
        title={words.open}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={({ currentTarget }) => setAnchor(currentTarget)}
        className="-ml-2 inline-flex h-8 w-7 shrink-0 items-center justify-center rounded-r border border-l-0 border-edge-soft bg-surface text-ink-soft transition-colors hover:bg-hover hover:text-ink active:bg-press pointer-coarse:h-11 pointer-coarse:w-11 [&_svg]:size-4"
      >
        <ChevronDown aria-hidden />
      </button>
      <AnchoredMenu anchor={anchor} label={words.open} onClose={() => setAnchor(null)}>
        {mode === 'private' ? (
          <MenuItem icon={<Globe aria-hidden />} onSelect={() => void publish({ category, address })}>
            {words.publish}
          </MenuItem>
        ) : (
          <MenuItem icon={<Link2 aria-hidden />} onSelect={() => void copyLink(address)}>
            {words.copyAddress}
          </MenuItem>
        )}
        {mode === 'public' ? (
          <>
            <MenuItem
              icon={<MessageCircle aria-hidden />}
              onSelect={() => visit(`https://wa.me/?text=${encodeURIComponent(message)}`)}
            >
              {words.whatsapp}
            </MenuItem>
            <MenuItem
              icon={<Mail aria-hidden />}
              onSelect={() => {
                const subject = encodeURIComponent(category.name);
                window.location.href = `mailto:?subject=${subject}&body=${encodeURIComponent(address)}`;
              }}
            >
              {words.email}
            </MenuItem>
            {'share' in navigator ? (
              <MenuItem
                icon={<Share aria-hidden />}
                // Who closes the device's sheet has not met an error.
                onSelect={() =>
                  void navigator.share({ title: category.name, url: address }).catch(() => undefined)
                }
              >
                {words.device}
              </MenuItem>
            ) : null}
          </>
        ) : null}
        <MenuSeparator />
        <MenuItem icon={<SlidersHorizontal aria-hidden />} onSelect={onMore}>
          {words.more}
        </MenuItem>
      </AnchoredMenu>
    </>
  );
}
