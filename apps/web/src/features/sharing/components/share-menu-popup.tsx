import { type SharingMode, sharedPath } from '@linkoteca/domain/sharing';
import { Globe, Link2, Mail, MessageCircle, QrCode, Rss, Share, SlidersHorizontal } from 'lucide-react';
import { Suspense, useState } from 'react';
import { copyLink } from '../../../shared/lib/browser/copy-link.ts';
import { lazyPart } from '../../../shared/lib/browser/lazy-part.tsx';
import { AnchoredMenu } from '../../../shared/ui/menus/anchored-menu.tsx';
import { MenuItem } from '../../../shared/ui/menus/menu-item.tsx';
import { MenuSeparator } from '../../../shared/ui/menus/menu-separator.tsx';
import type { SharedSubject } from '../api/notify-invited.ts';
import { useIsSavingSharing } from '../api/save-sharing.ts';
import { SHARE_MENU_WORDS } from '../model/share-menu-words.ts';
import { type PublishOptions, usePublish } from '../model/use-publish.ts';

const QrCodeDialog = lazyPart(
  () => import('./qr-code-dialog.tsx'),
  (module) => module.QrCodeDialog,
);

export interface ShareMenuProps extends PublishOptions {
  readonly category: SharedSubject;
  readonly mode: SharingMode;
  /** What the plan lacks for sharing; null where it lacks nothing. */
  readonly lock: string | null;
  /** Shows the address of its feed; undefined where nobody draws feeds. */
  readonly onFollow: (() => void) | undefined;
  /** Opens the dialog with every choice. */
  readonly onMore: () => void;
}

interface ShareMenuPopupProps extends ShareMenuProps {
  /** The button; null while the menu is closed. */
  readonly anchor: Element | null;
  readonly onClose: () => void;
}

/** What most people want, in one act, and the ways by which an address travels. */
export function ShareMenuPopup({
  anchor,
  onClose,
  category,
  mode,
  lock,
  onFollow,
  onMore,
  ...options
}: ShareMenuPopupProps) {
  // null before it was asked for: its code is not read.
  const [qr, setQr] = useState<boolean | null>(null);
  const publish = usePublish(options);
  // Shown as public ahead of the answer, it still opens for nobody else.
  const saving = useIsSavingSharing();
  const words = SHARE_MENU_WORDS;
  const address = `${window.location.origin}${sharedPath(category)}`;
  const message = `${category.name}: ${address}`;
  const visit = (url: string) => window.open(url, '_blank', 'noopener,noreferrer');
  return (
    <>
      <AnchoredMenu anchor={anchor} label={words.open} onClose={onClose}>
        {mode === 'private' ? (
          <MenuItem
            icon={<Globe aria-hidden />}
            lock={lock}
            onSelect={() => void publish({ category, address })}
          >
            {words.publish}
          </MenuItem>
        ) : (
          <MenuItem icon={<Link2 aria-hidden />} disabled={saving} onSelect={() => void copyLink(address)}>
            {words.copyAddress}
          </MenuItem>
        )}
        {mode === 'public' && !saving ? (
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
            <MenuItem icon={<QrCode aria-hidden />} onSelect={() => setQr(true)}>
              {words.qr}
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
        {onFollow ? (
          <MenuItem icon={<Rss aria-hidden />} onSelect={onFollow}>
            {words.follow}
          </MenuItem>
        ) : null}
        <MenuSeparator />
        <MenuItem icon={<SlidersHorizontal aria-hidden />} lock={lock} onSelect={onMore}>
          {words.more}
        </MenuItem>
      </AnchoredMenu>
      {qr !== null ? (
        <Suspense>
          <QrCodeDialog open={qr} name={category.name} address={address} onClose={() => setQr(false)} />
        </Suspense>
      ) : null}
    </>
  );
}
