import {
  describeRequests,
  ACCESS_ANSWER_MESSAGES as words,
} from '@linkoteca/domain/messages/access-request-messages';
import { UserRoundPlus } from 'lucide-react';
import { joinClassNames } from '../../../shared/lib/browser/join-class-names.ts';
import { useAccessRequests } from '../api/access-requests.ts';

interface AccessRequestsEntryProps {
  readonly collapsed: boolean;
  readonly onOpen: () => void;
}

/** In the sidebar, while somebody waits for an answer: how many, and the way to them. */
export function AccessRequestsEntry({ collapsed, onOpen }: AccessRequestsEntryProps) {
  const count = useAccessRequests().data?.length ?? 0;
  if (count === 0) return null;
  const label = describeRequests(count);
  return (
    <button
      type="button"
      aria-label={label}
      title={collapsed ? label : undefined}
      onClick={onOpen}
      className={joinClassNames(
        'relative flex h-8 shrink-0 items-center rounded text-base text-ink-soft transition-colors hover:bg-hover hover:text-ink focus-visible:-outline-offset-2 pointer-coarse:h-11',
        collapsed ? 'w-8 justify-center pointer-coarse:w-11' : 'gap-2 pr-2 pl-8 text-left',
      )}
    >
      <UserRoundPlus aria-hidden className="size-4 shrink-0" />
      {collapsed ? (
        <span aria-hidden className="absolute top-1 right-1 size-1.5 rounded-full bg-accent" />
      ) : (
        <>
          <span className="min-w-0 flex-1 truncate font-medium">{words.title}</span>
          <span className="rounded-full bg-accent-soft px-1.5 text-xs text-accent-text tabular-nums">
            {count}
          </span>
        </>
      )}
    </button>
  );
}
