import type { ControlState } from '../control/handle-control.ts';
import type { OpenedEmulator } from './open-emulator.ts';

/** Calls a control endpoint as the operator does. */
export async function control(opened: OpenedEmulator, action: string, fields: object = {}) {
  const answer = await opened.open(`/control/${action}`, {
    method: 'POST',
    isOperator: true,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(fields),
  });
  return { status: answer.status, body: await answer.json() };
}

/** How everything stands. */
export async function readControlState(opened: OpenedEmulator): Promise<ControlState> {
  const answer = await opened.open('/control/state', { isOperator: true });
  return answer.json();
}

/** What the webhook has been sent, by type. */
export function typesOf({ received }: OpenedEmulator): string[] {
  return received.map(({ event }) => event.type);
}
