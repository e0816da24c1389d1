import {
  describeOwner,
  RECEIVED_SHARE_MESSAGES,
  SHARING_MESSAGES,
} from '@linkoteca/domain/messages/sharing-messages';
import { Users } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { AnchoredMenu } from '../../../shared/ui/menus/anchored-menu.tsx';
import { MenuItem } from '../../../shared/ui/menus/menu-item.tsx';
import type { ReceivedShare } from '../api/list-received-shares.ts';

interface ReceivedRailProps {
  readonly shares: readonly ReceivedShare[];
  readonly activeCategoryId: string | null;
  readonly isRead: boolean;
  /** Where not all of it could be read. */
  readonly onRetry: (() => void) | undefined;
  readonly onOpen: (categoryId: string) => void;
}

/** The group 'Compartilhados' while the sidebar is collapsed: an icon with a menu of its categories. */
export function ReceivedRail({ shares, activeCategoryId, isRead, onRetry, onOpen }: ReceivedRailProps) {
  const [anchor, setAnchor] = useState<Element | null>(null);
  const active = shares.some((share) => share.id === activeCategoryId);
  return (
    <>
      <IconButton
        label="Compartilhados"
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        className={active ? 'bg-accent-soft text-accent-text' : undefined}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <Users aria-hidden />
      </IconButton>
      <AnchoredMenu anchor={anchor} label="Compartilhados" onClose={() => setAnchor(null)}>
        {shares.map((share) => (
          <MenuItem
            key={share.id}
            aside={<span className="text-xs text-ink-faint">{describeOwner(share.ownerName)}</span>}
            onSelect={() => onOpen(share.id)}
          >
            {share.name}
          </MenuItem>
        ))}
        {onRetry ? (
          <MenuItem aside={<span className="text-xs text-ink-faint">Tentar de novo</span>} onSelect={onRetry}>
            {RECEIVED_SHARE_MESSAGES.loadFailed}
          </MenuItem>
        ) : isRead && shares.length === 0 ? (
          <MenuItem disabled onSelect={() => undefined}>
            {SHARING_MESSAGES.noneReceived}
          </MenuItem>
        ) : null}
      </AnchoredMenu>
    </>
  );
}
