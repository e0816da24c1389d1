import type { EmulatorOptions } from './emulator-options.ts';
import { type Ledger, type LedgerCause, openLedger } from './ledger/ledger.ts';
import type { EmulatorSettings } from './ledger/object-kinds.ts';
import { seedObjects } from './seed-objects.ts';
import type { StoreTransaction } from './store/emulator-store.ts';

/** The version of the API whose shapes the emulator writes: that of the SDK it is built with. */
export const API_VERSION = '2026-10-28.endive';

export type ChangeOptions = {
  readonly cause?: LedgerCause | undefined;
  /** Another moment than now, for what was due earlier; seconds on the emulator's clock. */
  readonly time?: number;
};

/** The way to the objects: every change is one transaction, and whoever waits for events is told afterwards. */
export type Books = {
  change<T>(run: (ledger: Ledger) => Promise<T>, options?: ChangeOptions): Promise<T>;
  read<T>(run: (ledger: Ledger) => Promise<T>): Promise<T>;
  /** The moment at which something of these kinds is due next, and what time it is; milliseconds on the emulator's clock. */
  findNextDue(kinds: readonly string[]): Promise<{ readonly next: number | null; readonly now: number }>;
  listDue(kind: string, at: number, limit: number): Promise<readonly string[]>;
};

type BooksOptions = Pick<EmulatorOptions, 'store' | 'prices' | 'siteUrl' | 'now'> & {
  readonly onChange: () => void;
};

/** Opens the books. The first use writes down the prices that can be bought. */
export function openBooks({ store, prices, siteUrl, now, onChange }: BooksOptions): Books {
  let seeding: Promise<void> | undefined;

  async function open(transaction: StoreTransaction, { cause, time }: ChangeOptions = {}) {
    const settings = (await transaction.find('emulator_settings'))?.data as EmulatorSettings | undefined;
    const clock = (now().getTime() + (settings?.offsetMs ?? 0)) / 1000;
    return openLedger(transaction, { time: time ?? clock, siteUrl, apiVersion: API_VERSION, cause });
  }

  async function changeNow<T>(run: (ledger: Ledger) => Promise<T>, options?: ChangeOptions): Promise<T> {
    return store.change(async (transaction) => {
      const ledger = await open(transaction, options);
      const result = await run(ledger);
      await ledger.flush();
      return result;
    });
  }

  function seed(): Promise<void> {
    seeding ??= changeNow((ledger) => seedObjects(ledger, prices)).catch((error: unknown) => {
      seeding = undefined;
      throw error;
    });
    return seeding;
  }

  return {
    async change(run, options) {
      await seed();
      const result = await changeNow(run, options);
      onChange();
      return result;
    },
    async read(run) {
      await seed();
      return store.read(async (transaction) => run(await open(transaction)));
    },
    async findNextDue(kinds) {
      await seed();
      return store.read(async (transaction) => {
        const { time } = await open(transaction);
        return { next: await transaction.findNextDue(kinds), now: time * 1000 };
      });
    },
    listDue: (kind, at, limit) =>
      store.read(async (transaction) => (await transaction.listDue(kind, at, limit)).map(({ id }) => id)),
  };
}
