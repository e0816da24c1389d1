import autocannon from 'autocannon';
import { median } from './summarise-latencies.ts';

export type Target = {
  readonly url: string;
  readonly method?: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
};

const ROUNDS = 5;
const SECONDS = 3;
/** Both sides run compiled code before the clock counts. */
const WARM_UP_SECONDS = 5;
const CONNECTIONS = 16;

/**
 * Requests a second of each target, taken in alternating rounds of one run so that a busy machine slows all alike.
 * @param connections at a time
 * @returns the median of the rounds, by the target's name.
 * @throws Error when any answer was not 2xx: a fast refusal is no result.
 */
export async function compareThroughput<Name extends string>(
  targets: Readonly<Record<Name, Target>>,
  connections = CONNECTIONS,
): Promise<Record<Name, number>> {
  const names = Object.keys(targets) as Name[];
  const rounds = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  for (const name of names) await fire(targets[name], WARM_UP_SECONDS, connections);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const name of names) rounds[name].push(await fire(targets[name], SECONDS, connections));
  }
  return Object.fromEntries(names.map((name) => [name, median(rounds[name])])) as Record<Name, number>;
}

async function fire(target: Target, seconds: number, connections: number): Promise<number> {
  const { url, method = 'GET', headers, body } = target;
  const result = await autocannon({
    url,
    method,
    headers,
    connections,
    duration: seconds,
    ...(body !== undefined && { body }),
  });
  if (result.non2xx > 0 || result.errors > 0 || result['2xx'] === 0) {
    throw new Error(
      `${method} ${url}: ${result.non2xx} refusals, ${result.errors} errors, ${result['2xx']} answers`,
    );
  }
  return result['2xx'] / result.duration;
}
