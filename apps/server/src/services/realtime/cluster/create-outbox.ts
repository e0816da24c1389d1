import type { PeerMessage } from './cluster-bus.ts';

/** What waits to go to the other copies, in order. */
export type Outbox = {
  add(message: PeerMessage): void;
  clear(): void;
  /** Sends what waits; to be called whenever sending has become possible. */
  flush(): void;
  /** Resolves when everything has gone, or after the patience. */
  drain(patienceMs: number): Promise<void>;
};

export type OutboxOptions = {
  /** @param content a batch in its envelope. Rejects when it must be sent again. */
  readonly send: (content: string) => Promise<unknown>;
  readonly canSend: () => boolean;
  /** So much waited that it was thrown away: the others have missed something. Told when sending works again. */
  readonly onLoss: () => void;
};

/** Neighbours share one transaction; nobody notices so short a wait. */
const GATHER_MS = 2;
const MAX_BATCH = 512 * 1024;
const MAX_WAITING = 16 * 1024 * 1024;

export function createOutbox({ send, canSend, onLoss }: OutboxOptions): Outbox {
  let waiting: string[] = [];
  let waitingSize = 0;
  let hasLost = false;
  let gathering: NodeJS.Timeout | undefined;
  let sending: Promise<void> | undefined;
  let number = 0;
  /** A batch whose fate is unknown goes again under its number, so that the others take it once. */
  let unsure: string | undefined;

  function takeBatch(): string {
    let size = 0;
    let count = 0;
    while (count < waiting.length && (count === 0 || size < MAX_BATCH)) size += waiting[count++]?.length ?? 0;
    const batch = waiting.splice(0, count);
    waitingSize -= size;
    number += 1;
    return `{"number":${number},"messages":[${batch.join(',')}]}`;
  }

  async function sendAll(): Promise<void> {
    while (canSend() && (unsure !== undefined || waiting.length > 0)) {
      unsure ??= takeBatch();
      try {
        await send(unsure);
      } catch {
        return;
      }
      unsure = undefined;
      if (hasLost) {
        hasLost = false;
        onLoss();
      }
    }
  }

  function flush(): void {
    clearTimeout(gathering);
    gathering = undefined;
    sending ??= sendAll().finally(() => {
      sending = undefined;
      // What came after the last look and before this moment.
      if (waiting.length > 0 && canSend()) gatherSoon();
    });
  }

  function gatherSoon(): void {
    gathering ??= setTimeout(flush, GATHER_MS);
  }

  return {
    add(message) {
      const text = JSON.stringify(message);
      if (waitingSize + text.length > MAX_WAITING) {
        waiting = [];
        waitingSize = 0;
        hasLost = true;
      }
      waiting.push(text);
      waitingSize += text.length;
      // While a batch is on its way, the next one gathers by itself.
      if (sending === undefined) gatherSoon();
    },
    clear() {
      waiting = [];
      waitingSize = 0;
    },
    flush,
    async drain(patienceMs) {
      flush();
      let timer: NodeJS.Timeout | undefined;
      const patience = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, patienceMs);
      });
      await Promise.race([sending, patience]);
      clearTimeout(timer);
    },
  };
}
