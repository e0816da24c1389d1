/** What the client sent, as `[join_ref, ref, topic, event, payload]` (protocol note, section 3.1). */
export type SentFrame = readonly [
  joinRef: string | null,
  ref: string,
  topic: string,
  event: string,
  payload: Record<string, unknown>,
];

/**
 * A class to take the place of the browser's WebSocket, and the service at its other end: it lets everybody join unless a
 * test says otherwise.
 */
export function createFakeSocket() {
  const sockets: FakeSocket[] = [];
  const sent: SentFrame[] = [];
  const service = { reachable: true, refuse: null as string | null };

  class FakeSocket {
    readonly url: string;
    readonly calledAt = Date.now();
    readyState = 0;
    binaryType = 'arraybuffer';
    bufferedAmount = 0;
    onopen: ((event: unknown) => void) | null = null;
    onclose: ((event: unknown) => void) | null = null;
    onerror: ((event: unknown) => void) | null = null;
    onmessage: ((event: unknown) => void) | null = null;

    constructor(url: string | URL) {
      this.url = String(url);
      sockets.push(this);
      setTimeout(() => (service.reachable ? this.open() : this.hangUp()), 0);
    }

    open() {
      this.readyState = 1;
      this.onopen?.({});
    }

    hangUp() {
      if (this.readyState === 3) return;
      this.readyState = 3;
      this.onclose?.({ code: 1006, wasClean: false });
    }

    close() {
      this.hangUp();
    }

    send(text: string) {
      const frame = JSON.parse(text) as SentFrame;
      sent.push(frame);
      const [joinRef, ref, topic, event, payload] = frame;
      const reply = (status: string, response: unknown) =>
        this.say([joinRef, ref, topic, 'phx_reply', { status, response }]);
      if (event !== 'phx_join') return reply('ok', {});
      if (service.refuse !== null) return reply('error', { reason: service.refuse });
      const { postgres_changes: asked } = payload['config'] as { postgres_changes: object[] };
      reply('ok', { postgres_changes: asked.map((each, index) => ({ id: index + 1, ...each })) });
      const live = { extension: 'postgres_changes', status: 'ok', message: 'Subscribed to PostgreSQL' };
      return this.say([joinRef, null, topic, 'system', { ...live, channel: topic }]);
    }

    say(frame: readonly unknown[]) {
      setTimeout(() => this.onmessage?.({ data: JSON.stringify(frame) }), 0);
    }
  }

  return {
    transport: FakeSocket as unknown as typeof WebSocket,
    service,
    sockets,
    sent,
    /** The frames of one event. */
    sentOf: (event: string) => sent.filter((frame) => frame[3] === event),
    /** Says something on the newest socket. */
    say: (topic: string, event: string, payload: unknown) =>
      sockets.at(-1)?.say([null, null, topic, event, payload]),
  };
}
