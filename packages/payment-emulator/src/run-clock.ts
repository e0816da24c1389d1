import { DUE_KINDS, type DueKind, runDueWork } from './billing/run-due-work.ts';
import type { Books } from './books.ts';

/** More than years of monthly periods of many subscriptions: a guard against a fault that makes no progress. */
const MAX_STEPS = 100_000;

/**
 * Does everything that has become due by now, oldest first, each as if at its own moment: whether a minute has passed, the
 * server was off for a week, or the clock was moved by a year. Copies of the server may do so at once.
 */
export async function catchUp(books: Books): Promise<void> {
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const due = await findOldest(books);
    if (!due) return forgetAnswers(books);
    await books.change(
      async (ledger) => {
        const object = await ledger.find(due.kind, due.id);
        if (object) await runDueWork(ledger, due.kind, due.id);
      },
      { time: due.at / 1000 },
    );
  }
  throw new Error('the payment emulator does not catch up with its clock');
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

/** Moves the clock forward to a moment (seconds since 1970) and catches up. It never goes back. */
export async function moveClock(books: Books, now: () => Date, to: number): Promise<void> {
  await books.change(async (ledger) => {
    const settings = await ledger.require('emulator.settings', 'emulator_settings');
    const offset = to * 1000 - now().getTime();
    if (offset <= settings.offsetMs) return;
    settings.offsetMs = offset;
    ledger.save('emulator.settings', settings);
  });
  await catchUp(books);
}
