import { DUE_KINDS, type DueKind, runDueWork } from './billing/run-due-work.ts';
import type { Books } from './books.ts';
import type { EmulatorLogger, EmulatorOptions } from './emulator-options.ts';

/** More than years of monthly periods of many subscriptions: a guard against a fault that makes no progress. */
const MAX_STEPS = 100_000;
const POSTPONED_SECONDS = 3600;

/**
 * Does everything that has become due by now, oldest first, each as if at its own moment: whether a minute has passed, the
 * server was off for a week, or the clock was moved by a year. Copies of the server may do so at once.
 */
export async function catchUp(books: Books, logger: EmulatorLogger): Promise<void> {
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
export async function isAnythingDue(books: Books): Promise<boolean> {
  const { next, now } = await books.findNextDue([...DUE_KINDS, 'emulator.delivery', 'emulator.answer']);
  return next !== null && next <= now;
}

/** Moves the clock forward to a moment (seconds since 1970) and catches up. It never goes back. */
export async function moveClock(
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
