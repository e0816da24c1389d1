import { handleApiRequest } from './api/handle-api-request.ts';
import { DUE_KINDS, type DueKind, runDueWork } from './billing/run-due-work.ts';
import type { EmulatorLogger, EmulatorOptions, PaymentEmulator, RequestOrigin } from './emulator-options.ts';
import { type Books, openBooks } from './object-store.ts';
import { handlePageRequest } from './pages/handle-page-request.ts';
import { deliverEvents } from './webhooks/deliver-events.ts';

/** How often to look for what is due, and for what another copy of the server has left behind. */
const EVERY_MS = 2_000;

/** Opens the emulator. Nothing runs or is written before the first request or `start`. */
export function createPaymentEmulator(options: EmulatorOptions): PaymentEmulator {
  const { logger, secretKey } = options;
  const books = openBooks({ ...options, onChange: () => wake() });
  const deliverer = { ...options, books };
  const advance = (to: number) => moveClock(books, options, to);
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let isAskedAgain = false;

  async function work(): Promise<void> {
    if (!(await isAnythingDue(books))) return;
    await catchUp(books, logger);
    while ((await deliverEvents(deliverer)) > 0) {
      // What a receiver did in the meantime may have caused more.
    }
  }

  async function workUntilQuiet(): Promise<void> {
    do {
      isAskedAgain = false;
      await work();
    } while (isAskedAgain && timer !== undefined);
  }

  function wake(): void {
    isAskedAgain = true;
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
        return handleApiRequest({ books, secretKey, logger, moveClock: advance }, request, path);
      return handlePageRequest({ ...options, books, moveClock: advance }, request, path, origin);
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
async function catchUp(books: Books, logger: EmulatorLogger): Promise<void> {
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const due = await findOldest(books);
    if (!due) return forgetAnswers(books);
    try {
      await books.change((ledger) => runDueWork(ledger, due.kind, due.id), { time: due.at / 1000 });
    } catch (err) {
      // One object that cannot be handled must not stop the others' clocks.
      logger.error({ err, kind: due.kind, id: due.id }, 'the payment emulator put off what it could not do');
      await postpone(books, due.kind, due.id);
    }
  }
  throw new Error('the payment emulator does not catch up with its clock');
}

async function postpone(books: Books, kind: DueKind, id: string): Promise<void> {
  await books.change(async (ledger) => {
    ledger.save(kind, await ledger.require(kind, id), { dueAt: ledger.time + POSTPONED_SECONDS });
  });
}

async function findOldest(books: Books): Promise<{ kind: DueKind; id: string; at: number } | undefined> {
  const { next, now } = await books.findNextDue(DUE_KINDS);
  if (next === null || next > now) return undefined;
  for (const kind of DUE_KINDS) {
    const [id] = await books.listDue(kind, next, 1);
    if (id !== undefined) return { kind, id, at: next };
  }
  return undefined;
}

/** Kept answers are of use for a day. */
async function forgetAnswers(books: Books): Promise<void> {
  const { now } = await books.findNextDue([]);
  const old = await books.listDue('emulator.answer', now, 100);
  if (old.length === 0) return;
  await books.change(async (ledger) => {
    for (const id of old) ledger.remove(id);
  });
}

/** Whether anything at all is due: one look at the store, for a server at rest. */
async function isAnythingDue(books: Books): Promise<boolean> {
  const { next, now } = await books.findNextDue([...DUE_KINDS, 'emulator.delivery', 'emulator.answer']);
  return next !== null && next <= now;
}

/** Moves the clock forward to a moment (seconds since 1970) and catches up. It never goes back. */
async function moveClock(
  books: Books,
  { now, logger }: Pick<EmulatorOptions, 'now' | 'logger'>,
  to: number,
): Promise<void> {
  await books.change(async (ledger) => {
    const settings = await ledger.require('emulator.settings', 'emulator_settings');
    const offset = to * 1000 - now().getTime();
    if (offset <= settings.offsetMs) return;
    settings.offsetMs = offset;
    ledger.save('emulator.settings', settings);
  });
  await catchUp(books, logger);
}
