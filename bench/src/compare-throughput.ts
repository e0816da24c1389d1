import autocannon from 'autocannon';
import { median } from './summarise-latencies.ts';

export type Target = {
  readonly url: string;
  readonly method?: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** What each connection sends, one after the other, in place of the headers and the body: as many people as there are connections. */
  readonly people?: readonly Pick<Target, 'headers' | 'body'>[];
};

export type Load = {
  /** At a time. */
  readonly connections?: number;
  /** Of a round. */
  readonly seconds?: number;
  /** Both sides run compiled code before the clock counts. */
  readonly warmUpSeconds?: number;
  readonly rounds?: number;
};

const ROUNDS = 5;
const SECONDS = 3;
const WARM_UP_SECONDS = 5;
const CONNECTIONS = 16;

/**
 * Requests a second of each target, taken in alternating rounds of one run so that a busy machine slows all alike.
 * @returns the median of the rounds, by the target's name.
 * @throws Error when any answer was not 2xx: a fast refusal is no result.
 */
export async function compareThroughput<Name extends string>(
  targets: Readonly<Record<Name, Target>>,
  load: Load = {},
): Promise<Record<Name, number>> {
  const rounds = await measureRounds(targets, load);
  const medians = Object.entries<readonly number[]>(rounds).map(([name, rates]) => [name, median(rates)]);
  return Object.fromEntries(medians) as Record<Name, number>;
}

/** As `compareThroughput`, each round by itself: what is compared is then what stood side by side. */
export async function measureRounds<Name extends string>(
  targets: Readonly<Record<Name, Target>>,
  load: Load = {},
): Promise<Record<Name, readonly number[]>> {
  const { connections = CONNECTIONS, seconds = SECONDS, warmUpSeconds = WARM_UP_SECONDS } = load;
  const names = Object.keys(targets) as Name[];
  const rounds = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  for (const name of names) await fire(targets[name], warmUpSeconds, connections);
  for (let round = 0; round < (load.rounds ?? ROUNDS); round += 1) {
    for (const name of names) rounds[name].push(await fire(targets[name], seconds, connections));
  }
  return rounds;
}

async function fire(target: Target, seconds: number, connections: number): Promise<number> {
  const { url, method = 'GET', headers, body, people } = target;
  let opened = 0;
  const result = await autocannon({
    url,
    method,
    headers,
    connections,
    duration: seconds,
    ...(body !== undefined && { body }),
    ...(people !== undefined && {
      setupClient: (client: autocannon.Client) => {
        const person = people[opened++ % people.length];
        if (person) client.setHeadersAndBody(person.headers, person.body ?? '');
      },
    }),
  });
  if (result.non2xx > 0 || result.errors > 0 || result['2xx'] === 0) {
    throw new Error(
      `${method} ${url}: ${result.non2xx} refusals, ${result.errors} errors, ${result['2xx']} answers`,
    );
  }
  return result['2xx'] / result.duration;
}
