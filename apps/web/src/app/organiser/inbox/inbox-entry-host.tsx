import { CAPTURE_MESSAGES } from '@linkoteca/domain/messages/capture-messages';
import { useOutbox } from '../../../features/captures/api/use-outbox.ts';
import { InboxEntry } from '../../../features/captures/components/inbox-entry.tsx';
import { useUserId } from '../../../shared/lib/session/session-context.tsx';
import { useInbox } from './use-inbox.ts';

export interface InboxEntryHostProps {
  readonly collapsed: boolean;
  readonly onNavigate: () => void;
}

/** The inbox in the sidebar, from the first link on that goes there or waits on this device. */
export function InboxEntryHost({ collapsed, onNavigate }: InboxEntryHostProps) {
  const inbox = useInbox();
  const waiting = useOutbox(useUserId()).length;
  if (inbox === null && waiting === 0) return null;
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
