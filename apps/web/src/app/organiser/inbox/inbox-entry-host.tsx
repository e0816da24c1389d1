import { CAPTURE_MESSAGES } from '@linkoteca/domain/messages/capture-messages';
import { useOutbox } from '../../../features/captures/api/use-outbox.ts';
import { InboxEntry } from '../../../features/captures/components/inbox-entry.tsx';
import type { ListedCategory } from '../../../features/categories/model/category-rows.ts';
import { useUserId } from '../../../shared/lib/session/session-context.tsx';

interface InboxEntryHostProps {
  /** The person's inbox; undefined where there is none, or not yet. */
  readonly inbox: ListedCategory | undefined;
  readonly collapsed: boolean;
  readonly onNavigate: () => void;
}

/** The inbox in the sidebar, from the first link on that goes there or waits on this device. */
export function InboxEntryHost({ inbox, collapsed, onNavigate }: InboxEntryHostProps) {
  const waiting = useOutbox(useUserId()).length;
  if (inbox === undefined && waiting === 0) return null;
  return (
    <InboxEntry
      collapsed={collapsed}
      name={inbox?.name ?? CAPTURE_MESSAGES.inbox}
      count={inbox?.link_count ?? 0}
      waiting={waiting}
      onNavigate={onNavigate}
    />
  );
}
