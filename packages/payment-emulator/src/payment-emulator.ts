import { handleApiRequest } from './api/handle-api-request.ts';
import { DUE_KINDS, type DueKind, runDueWork } from './billing/run-due-work.ts';
import type { EmulatorLogger, EmulatorOptions, PaymentEmulator, RequestOrigin } from './emulator-options.ts';
import { type ObjectStore, openObjectStore } from './object-store.ts';
import { handlePageRequest } from './pages/handle-page-request.ts';
import { deliverEvents } from './webhooks/deliver-events.ts';

/** How often to look for what is due, and for what another copy of the server has left behind. */
const EVERY_MS = 2_000;

/** Opens the emulator. Nothing runs or is written before the first request or `start`. */
export function createPaymentEmulator(options: EmulatorOptions): PaymentEmulator {
  const { logger, secretKey } = options;
  const objectStore = openObjectStore({ ...options, onChange: () => wake() });
  const deliverer = { ...options, objectStore };
  const advance = (to: number) => moveClock(objectStore, options, to);
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let isWakePending = false;

  async function work(): Promise<void> {
    if (!(await isAnythingDue(objectStore))) return;
    await catchUp(objectStore, logger);
    while ((await deliverEvents(deliverer)) > 0) {
      // What a receiver did in the meantime may have caused more.
    }
  }

  async function workUntilQuiet(): Promise<void> {
    do {
      isWakePending = false;
      await work();
    } while (isWakePending && timer !== undefined);
  }

  function wake(): void {
    isWakePending = true;
    if (timer === undefined || running) return;
    running = workUntilQuiet()
      .catch((err: unknown) => logger.warn({ err }, 'the payment emulator could not do what is due'))
      .finally(() => {
        running = undefined;
      });
  }

  return {
    async handle(request: Request, origin: RequestOrigin): Promise<Response> {
      const { pathname } = new URL(request.url);
      const path = pathname.replace(/^\/payment-emulator(?=\/|$)/, '');
      if (path.startsWith('/v1/'))
        return handleApiRequest({ objectStore, secretKey, logger, moveClock: advance }, request, path);
      return handlePageRequest({ ...options, objectStore, moveClock: advance }, request, path, origin);
    },
    start() {
      timer ??= setInterval(wake, EVERY_MS).unref();
      wake();
    },
    async stop() {
      clearInterval(timer);
      timer = undefined;
      await running;
    },
    work,
  };
}

/** More than years of monthly periods of many subscriptions: a guard against a fault that makes no progress. */
const MAX_STEPS = 100_000;
const POSTPONED_SECONDS = 3600;

/**
 * Does everything that has become due by now, oldest first, each as if at its own moment: whether a minute has passed, the
 * server was off for a week, or the clock was moved by a year. Copies of the server may do so at once.
 */
async function catchUp(objectStore: ObjectStore, logger: EmulatorLogger): Promise<void> {
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const due = await findOldest(objectStore);
    if (!due) return forgetAnswers(objectStore);
    try {
      await objectStore.change((ledger) => runDueWork(ledger, due.kind, due.id), { time: due.at / 1000 });
    } catch (err) {
      // One object that cannot be handled must not stop the others' clocks.
      logger.error({ err, kind: due.kind, id: due.id }, 'the payment emulator put off what it could not do');
      await postpone(objectStore, due.kind, due.id);
    }
  }
  throw new Error('the payment emulator does not catch up with its clock');
}

async function postpone(objectStore: ObjectStore, kind: DueKind, id: string): Promise<void> {
  await objectStore.change(async (ledger) => {
    ledger.save(kind, await ledger.require(kind, id), { dueAt: ledger.time + POSTPONED_SECONDS });
  });
}

async function findOldest(
  objectStore: ObjectStore,
): Promise<{ kind: DueKind; id: string; at: number } | undefined> {
  const { next, now } = await objectStore.findNextDue(DUE_KINDS);
  if (next === null || next > now) return undefined;
  for (const kind of DUE_KINDS) {
    const [id] = await objectStore.listDue(kind, next, 1);
    if (id !== undefined) return { kind, id, at: next };
  }
  return undefined;
}

/** Kept answers are of use for a day. */
async function forgetAnswers(objectStore: ObjectStore): Promise<void> {
  const { now } = await objectStore.findNextDue([]);
  const old = await objectStore.listDue('emulator.answer', now, 100);
  if (old.length === 0) return;
  await objectStore.change(async (ledger) => {
    for (const id of old) ledger.remove(id);
  });
}

/** Whether anything at all is due: one look at the store, for a server at rest. */
async function isAnythingDue(objectStore: ObjectStore): Promise<boolean> {
  const { next, now } = await objectStore.findNextDue([...DUE_KINDS, 'emulator.delivery', 'emulator.answer']);
  return next !== null && next <= now;
}

/** Moves the clock forward to a moment (seconds since 1970) and catches up. It never goes back. */
async function moveClock(
  objectStore: ObjectStore,
  { now, logger }: Pick<EmulatorOptions, 'now' | 'logger'>,
  to: number,
): Promise<void> {
  await objectStore.change(async (ledger) => {
    const settings = await ledger.require('emulator.settings', 'emulator_settings');
    const offset = to * 1000 - now().getTime();
    if (offset <= settings.offsetMs) return;
    settings.offsetMs = offset;
    ledger.save('emulator.settings', settings);
  });
  await catchUp(objectStore, logger);
}
