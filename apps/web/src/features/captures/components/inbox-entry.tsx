import { formatCount, formatNumber } from '@linkoteca/domain/formats';
import { describeWaiting } from '@linkoteca/domain/messages/capture-messages';
import { Link } from '@tanstack/react-router';
import { CloudUpload, Inbox } from 'lucide-react';
import { joinClassNames } from '../../../shared/lib/browser/join-class-names.ts';
import { VisuallyHidden } from '../../../shared/ui/visually-hidden.tsx';

interface InboxEntryProps {
  readonly collapsed: boolean;
  readonly name: string;
  /** Links in the inbox. */
  readonly count: number;
  /** Links that wait on this device. */
  readonly waiting: number;
  readonly onNavigate: () => void;
}

/** The way to the inbox, with what it holds. */
export function InboxEntry({ collapsed, name, count, waiting, onNavigate }: InboxEntryProps) {
  const words = [
    name,
    ...(count > 0 ? [formatCount(count, 'link', 'links')] : []),
    ...(waiting > 0 ? [describeWaiting(waiting)] : []),
  ].join(', ');
  return (
    <Link
      to="/entrada"
      title={collapsed || waiting > 0 ? words : undefined}
      onClick={onNavigate}
      activeProps={{ className: 'bg-accent-soft text-accent-text' }}
      inactiveProps={{ className: 'text-ink-soft hover:bg-hover hover:text-ink' }}
      className={joinClassNames(
        'relative flex h-8 shrink-0 items-center rounded text-base transition-colors focus-visible:-outline-offset-2 pointer-coarse:h-11',
        collapsed ? 'w-8 justify-center pointer-coarse:w-11' : 'gap-2 pr-2 pl-8',
      )}
    >
      <VisuallyHidden>{words}</VisuallyHidden>
      <Inbox aria-hidden className="size-4 shrink-0" />
      {collapsed ? (
        count + waiting > 0 ? (
          <span aria-hidden className="absolute top-1 right-1 size-1.5 rounded-full bg-accent" />
        ) : null
      ) : (
        <span aria-hidden className="flex min-w-0 flex-1 items-center gap-2">
          <span className="min-w-0 flex-1 truncate font-medium">{name}</span>
          {waiting > 0 ? (
            <span className="flex items-center gap-1 text-xs text-warning-text tabular-nums">
              <CloudUpload className="size-3.5" />
              {formatNumber(waiting)}
            </span>
          ) : null}
          {count > 0 ? <span className="text-xs tabular-nums">{formatNumber(count)}</span> : null}
        </span>
      )}
    </Link>
  );
}
