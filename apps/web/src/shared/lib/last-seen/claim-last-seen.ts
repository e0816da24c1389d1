import { answerOf, lastSeenStore, type Owner, ownerKey, sameOwner } from './last-seen-store.ts';

/** Makes the store this person's: what somebody else or another build left there goes. */
export function claimLastSeen(owner: Owner): Promise<void> {
  return lastSeenStore()('readwrite', async (records) => {
    if (sameOwner(await answerOf<Owner | undefined>(records.get(ownerKey)), owner)) return;
    await answerOf(records.clear());
    await answerOf(records.put(owner, ownerKey));
  });
}
