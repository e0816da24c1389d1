import { formatDate } from '@linkoteca/domain/dates';
import { describeReceivedLock } from '@linkoteca/domain/messages/plan-messages';
import {
  describeOwner,
  describeShare,
  describeShareActions,
  RECEIVED_SHARE_MESSAGES,
  SHARING_MESSAGES,
} from '@linkoteca/domain/messages/sharing-messages';
import { ChevronRight, Ellipsis, FolderOpen, LogOut, Users } from 'lucide-react';
import { type ReactNode, useId, useRef, useState } from 'react';
import { joinClassNames } from '../../../shared/lib/browser/join-class-names.ts';
import { LoadError } from '../../../shared/ui/feedback/load-error.tsx';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { AnchoredMenu } from '../../../shared/ui/menus/anchored-menu.tsx';
import { MenuItem } from '../../../shared/ui/menus/menu-item.tsx';
import { lockProps, PlanLockMark } from '../../../shared/ui/plan-lock.tsx';
import type { ReceivedShare } from '../api/list-received-shares.ts';

interface ReceivedSharesProps {
  readonly shares: readonly ReceivedShare[];
  /** Shared folders stand above what is shared by category. */
  readonly folders: ReactNode;
  /** Categories in them. */
  readonly folderCategoryIds: readonly string[];
  readonly activeCategoryId: string | null;
  readonly isRead: boolean;
  /** Where not all of it could be read. */
  readonly onRetry: (() => void) | undefined;
  /** The plan does not open it. */
  readonly isLimited: (categoryId: string) => boolean;
  readonly onOpen: (categoryId: string) => void;
  /** Asks to have this one opened instead. */
  readonly onChoose: (categoryId: string) => void;
  readonly onLeave: (share: ReceivedShare) => void;
}

/** The group 'Compartilhados' of the sidebar. It opens by itself with the first of its categories that is on the screen. */
export function ReceivedShares(props: ReceivedSharesProps) {
  const { shares, folders, folderCategoryIds, activeCategoryId, isRead, isLimited } = props;
  const { onRetry, onOpen, onChoose, onLeave } = props;
  const ids = [...folderCategoryIds, ...shares.map(({ id }) => id)];
  const isActive = activeCategoryId !== null && ids.includes(activeCategoryId);
  const [wasActive, setWasActive] = useState(isActive);
  if (isActive && !wasActive) setWasActive(true);
  const [chosen, setChosen] = useState<boolean | null>(null);
  const open = chosen ?? wasActive;
  const listId = useId();
  const [menu, setMenu] = useState<{ readonly anchor: Element; readonly share: ReceivedShare } | null>(null);
  // What the menu is about stays while it closes.
  const subject = useRef<ReceivedShare | null>(null);
  if (menu !== null) subject.current = menu.share;
  return (
    <section>
      <button
        type="button"
        aria-expanded={open}
        aria-controls={listId}
        className="flex h-8 w-full items-center gap-2 rounded px-2 text-base text-ink-soft transition-colors hover:bg-hover hover:text-ink focus-visible:-outline-offset-2 pointer-coarse:h-11"
        onClick={() => setChosen(!open)}
      >
        <ChevronRight
          aria-hidden
          className={joinClassNames(
            'size-3.5 shrink-0 text-ink-faint transition-transform',
            open && 'rotate-90',
          )}
        />
        <Users aria-hidden className="size-4 shrink-0 text-ink-faint" />
        <span className="flex-1 text-left font-medium">Compartilhados</span>
        {ids.length > 0 ? <span className="text-xs text-ink-faint tabular-nums">{ids.length}</span> : null}
      </button>
      <div id={listId} hidden={!open}>
        {folders}
        {onRetry ? (
          <LoadError
            title={RECEIVED_SHARE_MESSAGES.loadFailed}
            description={RECEIVED_SHARE_MESSAGES.tryAgain}
            onRetry={onRetry}
          />
        ) : isRead && shares.length === 0 && folders === null ? (
          <p className="py-1.5 pl-8 text-sm text-ink-faint">{SHARING_MESSAGES.noneReceived}</p>
        ) : null}
        {shares.length === 0 ? null : (
          <ul className="flex flex-col gap-px py-px">
            {shares.map((share) => (
              <ShareRow
                key={share.id}
                share={share}
                active={share.id === activeCategoryId}
                limited={isLimited(share.id)}
                onOpen={onOpen}
                menuOpen={menu?.share.id === share.id}
                onMenu={(anchor) => setMenu({ anchor, share })}
              />
            ))}
          </ul>
        )}
      </div>
      <AnchoredMenu
        anchor={menu?.anchor ?? null}
        label={describeShareActions(subject.current?.name ?? '')}
        onClose={() => setMenu(null)}
      >
        {subject.current && isLimited(subject.current.id) ? (
          <MenuItem
            icon={<FolderOpen aria-hidden />}
            onSelect={() => subject.current && onChoose(subject.current.id)}
          >
            {RECEIVED_SHARE_MESSAGES.choose}
          </MenuItem>
        ) : null}
        <MenuItem
          tone="danger"
          icon={<LogOut aria-hidden />}
          onSelect={() => subject.current && onLeave(subject.current)}
        >
          {RECEIVED_SHARE_MESSAGES.leave}
        </MenuItem>
      </AnchoredMenu>
    </section>
  );
}

interface ShareRowProps {
  readonly share: ReceivedShare;
  readonly active: boolean;
  readonly limited: boolean;
  readonly onOpen: (categoryId: string) => void;
  readonly menuOpen: boolean;
  readonly onMenu: (anchor: Element) => void;
}

function ShareRow({ share, active, limited, onOpen, menuOpen, onMenu }: ShareRowProps) {
  return (
    <li
      className={joinClassNames(
        'group/row relative flex items-center rounded pr-1 transition-colors',
        active ? 'bg-accent-soft text-accent-text' : 'hover:bg-hover',
      )}
    >
      <button
        type="button"
        data-category={share.id}
        aria-current={active ? 'page' : undefined}
        title={describeShare(share.name, formatDate(share.sharedAt))}
        {...lockProps(limited ? describeReceivedLock() : null)}
        className="flex min-w-0 flex-1 flex-col rounded py-1.5 pr-1 pl-8 text-left focus-visible:-outline-offset-2"
        onClick={() => onOpen(share.id)}
      >
        <span className="flex w-full items-center gap-1.5">
          <span className="min-w-0 truncate text-base">{share.name}</span>
          {limited ? <PlanLockMark /> : null}
        </span>
        <span className="w-full truncate text-xs text-ink-faint">{describeOwner(share.ownerName)}</span>
      </button>
      <IconButton
        size="small"
        label={describeShareActions(share.name)}
        title="Ações"
        aria-haspopup="menu"
        aria-expanded={menuOpen}
        className="opacity-0 group-focus-within/row:opacity-100 group-hover/row:opacity-100 aria-expanded:opacity-100 pointer-coarse:opacity-100"
        onClick={(event) => onMenu(event.currentTarget)}
      >
        <Ellipsis aria-hidden />
      </IconButton>
    </li>
  );
}
