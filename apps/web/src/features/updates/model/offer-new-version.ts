import { OFFLINE_MESSAGES } from '@linkoteca/domain/offline-messages';
import { toast } from '../../../shared/ui/toast.ts';

/** Several reasons for one offer come together (a script that is missing, a worker that waits). */
const SAME_OFFER_MS = 60_000;

let offeredAt = -SAME_OFFER_MS;
let takeLatest = () => {};

/** Offers the new version, quietly and until it is taken or put aside. `take` begins it. */
export function offerNewVersion(take: () => void): void {
  takeLatest = take;
  if (performance.now() - offeredAt < SAME_OFFER_MS) return;
  offeredAt = performance.now();
  const { title, description, action } = OFFLINE_MESSAGES.newVersion;
  toast.info(title, description, { timeoutMs: 0, action: { label: action, onPress: () => takeLatest() } });
}
