import type { Server } from 'node:http';
import { findOwnUrl } from '../find-own-url.ts';

export type OwnFunctions = {
  readonly server: Pick<Server, 'address'>;
  readonly serviceRoleKey: string;
};

/**
 * Calls a function of this installation with the service key: the same that a schedule calls on the hosted platform.
 * @returns what it answers, parsed and unchecked: the function is our own.
 * @throws when it does not answer in time, or says that it could not.
 */
export async function callOwnFunction<Report>(
  { server, serviceRoleKey }: OwnFunctions,
  name: string,
  { body, patienceMs }: { readonly body?: object; readonly patienceMs: number },
): Promise<Report> {
  const response = await fetch(`${findOwnUrl(server)}/functions/v1/${name}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${serviceRoleKey}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(patienceMs),
  });
  if (!response.ok) throw new Error(`${name}: status ${response.status}`);
  return (await response.json()) as Report;
}
