import type { EmulatorOptions } from '../emulator-options.ts';
import type { ObjectStore } from '../object-store.ts';

/** What the pages work with. */
export type PageDeps = EmulatorOptions & {
  readonly objectStore: ObjectStore;
  /** Moves the emulator's clock and does what has become due; seconds since 1970. */
  readonly moveClock: (to: number) => Promise<void>;
};
