import { createDataFolder } from '@linkoteca/server-process/create-data-folder';
import type { Worker } from '@playwright/test';
import type { BenchmarkOptions, Figure } from './benchmark.ts';
import { fillLibrary } from './fill-library.ts';
import { openExtension } from './open-extension.ts';
import { type SignedInUser, signInAs } from './sign-in-as.ts';
import { type RunningServer, startServer } from './start-server.ts';
import { summariseLatencies } from './summarise-latencies.ts';

/** As they come under the fingers: a word's beginnings, accents left out, numbers, several words, a host, and what is nowhere. */
const TERMS = [
  'b',
  'bo',
  'bolo',
  'mus',
  'de',
  'medida 777',
  'receita 77',
  'bolo de medida',
  'exemplo.com',
  'qqqqzz',
];
const FOUND_NOTHING = 'qqqqzz';
const ROUNDS = 60;
/** The first ones wake the background and open connections. */
const WARM_UP = 5;
const GOAL_MS = 100;

/** The keyword `lk` in a browser's address bar: from a letter that is typed to the suggestions, through the extension as it is built. */
export async function measureAddressBar({ isQuick }: BenchmarkOptions): Promise<readonly Figure[]> {
  const folder = await createDataFolder();
  const server = await startServer(folder.path);
  try {
    const person = await signInAs(server, 'barra@exemplo.com.br');
    await fillLibrary(folder.path, person.id);
    const { background, close } = await openExtension();
    try {
      await connect(background, server, person);
      const byTerm = [];
      for (const term of TERMS) {
        const samples = await typeTerm(background, term, isQuick ? 10 : ROUNDS);
        byTerm.push({ term, ...summariseLatencies(samples.slice(WARM_UP)) });
      }
      const worst = byTerm.reduce((slowest, one) => (one.p95 > slowest.p95 ? one : slowest));
      return [
        {
          name: 'suggestions under the address bar, 10,000 links (worst term)',
          value: `p95 ${worst.p95.toFixed(1)} ms, p50 ${worst.p50.toFixed(1)} ms ('${worst.term}')`,
          goal: `p95 ≤ ${GOAL_MS} ms`,
          met: worst.p95 <= GOAL_MS,
        },
      ];
    } finally {
      await close();
    }
  } finally {
    await server.stop();
    await folder.remove();
  }
}

/** Connects the extension by a personal token, as its own page would. */
async function connect(background: Worker, { url, anonKey }: RunningServer, { id, headers }: SignedInUser) {
  const made = await fetch(`${url}/auth/v1/user/tokens`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ name: 'Extensão', scope: 'links:read links:write', days: 30 }),
  });
  const { token } = (await made.json()) as { token?: string };
  if (token === undefined) throw new Error(`no personal token: ${made.status}`);
  const connection = {
    installation: { origin: url, servicesUrl: url, anonKey, clientId: null },
    session: { kind: 'token', userId: id, accessToken: token },
    hasEnded: false,
  };
  await background.evaluate((kept) => chrome.storage.local.set(kept), { connection });
}

/** Milliseconds from each time that a term is typed to its suggestions, one after another. @throws Error where they are not what they must be. */
async function typeTerm(background: Worker, term: string, rounds: number): Promise<readonly number[]> {
  const { samples, counts } = await background.evaluate(
    async ([typed, times]) => {
      const measured: number[] = [];
      const found = new Set<number>();
      for (let round = 0; round < times; round += 1) {
        const begun = performance.now();
        const suggestions = await new Promise<object[]>((resolve) => {
          chrome.omnibox.onInputChanged.dispatch(typed, resolve);
        });
        measured.push(performance.now() - begun);
        found.add(suggestions.length);
      }
      return { samples: measured, counts: [...found] };
    },
    [term, rounds] as const,
  );
  const isRight = counts.every((count) => (term === FOUND_NOTHING ? count === 0 : count > 0));
  if (!isRight) throw new Error(`'${term}' had suggestions: ${counts.join(', ')}`);
  return samples;
}
