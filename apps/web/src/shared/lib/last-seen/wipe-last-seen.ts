import { clear } from 'idb-keyval';
import { lastSeenStore } from './last-seen-store.ts';

/** Forgets the data kept on this device. Without an owner nothing more is written either, by no tab. */
export async function wipeLastSeen(): Promise<void> {
  await clear(lastSeenStore());
}
