import { formatDate } from '@linkoteca/domain/format-date';
import { describeOwner, describeShare, SHARING_MESSAGES } from '@linkoteca/domain/sharing-messages';
import { ChevronRight, Users } from 'lucide-react';
import { useId, useState } from 'react';
import { joinClassNames } from '../../../shared/lib/join-class-names.ts';
import type { ReceivedShare } from '../api/list-received-shares.ts';

interface ReceivedSharesProps {
  readonly shares: readonly ReceivedShare[];
  readonly activeCategoryId: string | null;
  readonly onOpen: (categoryId: string) => void;
}

/** The group 'Compartilhados' of the sidebar. It starts open while one of its categories is on the screen. */
export function ReceivedShares({ shares, activeCategoryId, onOpen }: ReceivedSharesProps) {
  const [open, setOpen] = useState(() => shares.some((share) => share.id === activeCategoryId));
  const listId = useId();
  return (
    <section>
      <button
        type="button"
        aria-expanded={open}
        aria-controls={listId}
        className="flex h-8 w-full items-center gap-2 rounded px-2 text-base text-ink-soft transition-colors hover:bg-hover hover:text-ink focus-visible:-outline-offset-2 pointer-coarse:h-11"
        onClick={() => setOpen(!open)}
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
        {shares.length > 0 ? (
          <span className="text-xs text-ink-faint tabular-nums">{shares.length}</span>
        ) : null}
      </button>
      <div id={listId} hidden={!open}>
        {shares.length === 0 ? (
          <p className="py-1.5 pl-8 text-sm text-ink-faint">{SHARING_MESSAGES.noneReceived}</p>
        ) : (
          <ul className="flex flex-col gap-px py-px">
            {shares.map((share) => (
              <li key={share.id}>
                <button
                  type="button"
                  data-category={share.id}
                  aria-current={share.id === activeCategoryId ? 'page' : undefined}
                  title={describeShare(share.name, formatDate(share.sharedAt))}
                  className={joinClassNames(
                    'flex w-full flex-col rounded py-1.5 pr-2 pl-8 text-left transition-colors focus-visible:-outline-offset-2',
                    share.id === activeCategoryId ? 'bg-accent-soft text-accent-text' : 'hover:bg-hover',
                  )}
                  onClick={() => onOpen(share.id)}
                >
                  <span className="w-full truncate text-base">{share.name}</span>
                  <span className="w-full truncate text-xs text-ink-faint">
                    {describeOwner(share.ownerName)}
                  </span>
                </button>
              </li>
            ))}
          </ul>
        )}
      </div>
    </section>
  );
}
