import { vi } from 'vitest';

interface FunctionRequest {
  readonly method: string;
  readonly body: unknown;
  readonly authorization: string | null;
}

type Answer = (request: FunctionRequest) => Response | Promise<Response>;

/** The four prices of the emulator, as `list-prices` answers them. */
export function fakePriceList({ testMode = true, currency = 'usd', plusMonth = 199 } = {}) {
  const price = (plan: string, interval: string, amountCents: number) => ({
    plan,
    interval,
    priceId: `price_emulator_${plan}_${interval}ly`,
    amountCents,
    currency,
  });
  return {
    testMode,
    prices: [
      price('plus', 'month', plusMonth),
      price('plus', 'year', plusMonth * 10),
      price('pro', 'month', 399),
      price('pro', 'year', 3990),
    ],
  };
}

/**
 * Puts functions of the payment service behind `fetch`, by name; prices are there unless a test says otherwise, anything
 * else is not found. Tells what was asked. A test file calls `vi.unstubAllGlobals` after each test.
 */
export function answerFunctions(answers: Readonly<Record<string, Answer>> = {}) {
  const asked: (FunctionRequest & { readonly name: string })[] = [];
  const all: Readonly<Record<string, Answer>> = {
    'list-prices': () => Response.json(fakePriceList()),
    ...answers,
  };
  vi.stubGlobal('fetch', async (input: unknown, init?: RequestInit) => {
    const name = new URL(String(input)).pathname.replace('/functions/v1/', '');
    const request = {
      name,
      method: init?.method ?? 'GET',
      body: typeof init?.body === 'string' ? (JSON.parse(init.body) as unknown) : null,
      authorization: new Headers(init?.headers).get('authorization'),
    };
    asked.push(request);
    return (await all[name]?.(request)) ?? new Response(null, { status: 404 });
  });
  return { of: (name: string) => asked.filter((request) => request.name === name) };
}

/** Answers one after the other, the last one for ever. */
export function inTurn(...answers: readonly Answer[]): Answer {
  let turn = 0;
  return (request) => {
    const answer = answers[Math.min(turn, answers.length - 1)];
    turn += 1;
    return answer ? answer(request) : new Response(null, { status: 404 });
  };
}

/** The function's refusal in words. */
export const refuse = (error: unknown, status = 400) => Response.json({ error }, { status });
