interface TopicDeps {
  readonly connect: () => WebSocket;
  readonly topic: string;
  readonly heartbeatMs: number;
  /** Milliseconds before the first, second … attempt to connect again; the last one goes on for ever. */
  readonly reconnectMs: readonly number[];
  /** Something changed, or may have changed while nobody listened. */
  readonly onChange: () => void;
}

const JOIN = {
  config: {
    broadcast: { ack: false, self: false },
    presence: { key: '' },
    postgres_changes: [],
    private: true,
  },
};

/**
 * Listens on a private topic of the realtime service (protocol note, section 5), in the few hundred bytes that one event
 * without content needs. Comes back after every loss.
 */
export function openTopic({ connect, topic, heartbeatMs, reconnectMs, onChange }: TopicDeps): void {
  let losses = 0;

  const open = () => {
    const socket = connect();
    let answered = true;
    const send = (...message: unknown[]) => socket.send(JSON.stringify(message));
    const beat = setInterval(() => {
      // A connection that died without a word is closed here, and opened anew.
      if (!answered) return socket.close();
      answered = false;
      if (socket.readyState === 1) send(null, '2', 'phoenix', 'heartbeat', {});
    }, heartbeatMs);
    socket.onopen = () => send('1', '1', topic, 'phx_join', JOIN);
    socket.onmessage = ({ data }) => {
      const [, , from, event, payload] = readMessage(data);
      answered = true;
      if (from !== topic) return;
      if (event === 'phx_reply' && payload?.status === 'ok') {
        losses = 0;
        onChange();
      } else if (event === 'broadcast') onChange();
      else if (event === 'phx_error' || event === 'phx_close' || payload?.status === 'error') socket.close();
    };
    socket.onclose = () => {
      clearInterval(beat);
      setTimeout(open, reconnectMs[Math.min(losses, reconnectMs.length - 1)]);
      losses += 1;
    };
  };
  open();
}

type Message = readonly [unknown, unknown, string, string, { readonly status?: string } | null];

function readMessage(data: unknown): Message {
  try {
    return JSON.parse(String(data)) as Message;
  } catch {
    return [null, null, '', '', null];
  }
}
