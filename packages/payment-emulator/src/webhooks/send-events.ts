import { type DelivererDeps, sendEvent } from './deliver-events.ts';

/**
 * Sends events now, one after the other in the order given, whatever is held back or has been delivered already. What is
 * taken counts as delivered.
 * @returns how many were taken.
 */
export async function sendEvents(deps: DelivererDeps, events: readonly string[]): Promise<number> {
  const url = deps.webhookUrl();
  if (url === undefined) return 0;
  let taken = 0;
  for (const id of events) {
    const event = await deps.books.read((ledger) => ledger.require('event', id));
    if ((await sendEvent(deps, url, event)) !== null) continue;
    taken += 1;
    await deps.books.change(async (ledger) => {
      const [delivery] = await ledger.list('emulator.delivery', { match: { event: id }, limit: 1 });
      if (!delivery) return;
      delivery.status = 'delivered';
      ledger.save('emulator.delivery', delivery, { dueAt: null });
      (await ledger.require('event', id)).pending_webhooks = 0;
    });
  }
  return taken;
}
