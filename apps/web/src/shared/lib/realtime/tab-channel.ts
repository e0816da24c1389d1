import { REALTIME } from '@linkoteca/domain/limits';
import { CHANGE_OPERATIONS, type ChangeOperation } from './table-change.ts';

/** What one tab tells the others of this browser when it has written (specification, section 3). */
export interface TabMessage {
  readonly table: string;
  readonly type: ChangeOperation;
  /** Null stands for many rows. */
  readonly id: string | null;
  /** Milliseconds since 1970. */
  readonly timestamp: number;
}

export interface TabChannel {
  readonly send: (message: TabMessage) => void;
  readonly close: () => void;
}

const CHANNEL_NAME = 'realtime-events';

const WINDOW_MS = 1_000;

/**
 * The channel between the tabs. A browser without one, or a page that may not use it, just receives nothing. No more is sent than the
 * specification's ten events a second: what comes on top waits for its turn, a message for each table.
 * @param onMessage is told what other tabs have sent, never what this one has.
 */
export function openTabChannel(onMessage: (message: TabMessage) => void): TabChannel {
  const channel = open();
  channel?.addEventListener('message', ({ data }) => {
    const message = readTabMessage(data);
    if (message) onMessage(message);
  });
  /** When the newest ones were sent, oldest first. */
  const sentAt: number[] = [];
  const waiting = new Map<string, TabMessage>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  const waitForRoom = () =>
    sentAt.length < REALTIME.eventsPerSecond ? 0 : (sentAt[0] ?? 0) + WINDOW_MS - performance.now();
  const post = (message: TabMessage) => {
    sentAt.push(performance.now());
    if (sentAt.length > REALTIME.eventsPerSecond) sentAt.shift();
    // `type` and `operation` say the same: the tab-sync message knows the one, the channel's events the other.
    channel?.postMessage({ ...message, operation: message.type });
  };
  const sendWaiting = () => {
    timer = undefined;
    for (const [table, message] of waiting) {
      const wait = waitForRoom();
      if (wait > 0) {
        timer = setTimeout(sendWaiting, Math.ceil(wait));
        return;
      }
      waiting.delete(table);
      post(message);
    }
  };
  return {
    send: (message) => {
      const before = waiting.get(message.table);
      waiting.set(message.table, before && before.id !== message.id ? { ...message, id: null } : message);
      if (timer === undefined) sendWaiting();
    },
    close: () => {
      clearTimeout(timer);
      waiting.clear();
      channel?.close();
    },
  };
}

function open(): BroadcastChannel | null {
  try {
    return new BroadcastChannel(CHANNEL_NAME);
  } catch {
    return null;
  }
}

/** Another version of the app, or anything else of this origin, may be speaking. */
function readTabMessage(data: unknown): TabMessage | null {
  if (typeof data !== 'object' || data === null) return null;
  const { table, type, operation, id, timestamp } = data as Record<string, unknown>;
  const known = CHANGE_OPERATIONS.find((each) => each === type || each === operation);
  if (typeof table !== 'string' || known === undefined) return null;
  return {
    table,
    type: known,
    id: typeof id === 'string' ? id : null,
    timestamp: typeof timestamp === 'number' ? timestamp : Date.now(),
  };
}
