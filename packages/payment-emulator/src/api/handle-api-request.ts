import { createHash, timingSafeEqual } from 'node:crypto';
import type { EmulatorLogger } from '../emulator-options.ts';
import { createId } from '../ledger/ids.ts';
import type { Ledger, LedgerCause } from '../ledger/ledger.ts';
import type { IdempotentAnswer } from '../ledger/object-kinds.ts';
import { API_VERSION, type ObjectStore } from '../object-store.ts';
import { type ApiRoute, isCardRefusal } from './api-route.ts';
import { expandObject } from './expand-object.ts';
import { parseForm, readParameters } from './parameters.ts';
import { CHECKOUT_ROUTES } from './routes/checkout-routes.ts';
import { CUSTOMER_ROUTES } from './routes/customer-routes.ts';
import { PAYMENT_ROUTES } from './routes/payment-routes.ts';
import { PORTAL_ROUTES } from './routes/portal-routes.ts';
import { SUBSCRIPTION_ROUTES } from './routes/subscription-routes.ts';
import { TEST_CLOCK_ROUTES } from './routes/test-clock-routes.ts';
import { describeFailure, StripeFailure } from './stripe-failure.ts';

export type ApiDeps = {
  readonly objectStore: ObjectStore;
  readonly secretKey: string;
  readonly logger: EmulatorLogger;
  /** Moves the emulator's clock and does what has become due; seconds since 1970. */
  readonly moveClock: (to: number) => Promise<void>;
};

type Answer = {
  readonly status: number;
  readonly body: unknown;
  readonly isReplay?: boolean;
  /** What the emulator's clock said; seconds since 1970. Refusals have none. */
  readonly time?: number;
};
type Call = {
  readonly route: ApiRoute;
  readonly ids: readonly string[];
  readonly form: string;
  readonly requestId: string;
  readonly moveClock: (to: number) => void;
};

const DAY_SECONDS = 86_400;

/** Answers a request of the API, as Stripe's SDK sends it. Never rejects. */
export async function handleApiRequest(deps: ApiDeps, request: Request, path: string): Promise<Response> {
  const requestId = createId('req');
  const idempotencyKey = request.headers.get('idempotency-key');
  try {
    requireKey(request, deps.secretKey);
    const found = findRoute(request.method, path);
    if (!found)
      throw new StripeFailure(`Unrecognized request URL (${request.method}: ${path}).`, { status: 404 });
    const isRead = request.method === 'GET';
    // Parameters of a deletion stand in the address.
    const form = [new URL(request.url).search.slice(1), isRead ? '' : await request.text()]
      .filter(Boolean)
      .join('&');
    let moveTo: number | undefined;
    const call: Call = { ...found, form, requestId, moveClock: (to) => (moveTo = to) };
    const answer: Answer = isRead
      ? await deps.objectStore.read((ledger) => run(ledger, call))
      : await deps.objectStore.change(
          (ledger) => runOnce(ledger, call, { requestId, idempotencyKey }, `${request.method} ${path}`),
          { cause: { requestId, idempotencyKey } },
        );
    if (moveTo !== undefined) await deps.moveClock(moveTo);
    return present(answer, requestId, idempotencyKey);
  } catch (error) {
    if (error instanceof StripeFailure)
      return present(
        { status: error.fields.status, body: describeFailure(error, requestId) },
        requestId,
        idempotencyKey,
      );
    deps.logger.error({ err: error, path }, 'the payment emulator could not answer');
    const failure = new StripeFailure('An unexpected error occurred.', { status: 500, type: 'api_error' });
    return present({ status: 500, body: describeFailure(failure, requestId) }, requestId, idempotencyKey);
  }
}

function requireKey(request: Request, secretKey: string): void {
  const header = request.headers.get('authorization') ?? '';
  const given = /^Bearer (\S+)$/i.exec(header)?.[1] ?? readBasicUser(header);
  if (given === undefined)
    throw new StripeFailure(
      'You did not provide an API key. Provide it in the Authorization header: Bearer YOUR_SECRET_KEY.',
      {
        status: 401,
      },
    );
  if (!isSameSecret(given, secretKey)) throw new StripeFailure('Invalid API Key provided.', { status: 401 });
}

/** curl -u KEY: */
function readBasicUser(header: string): string | undefined {
  const encoded = /^Basic (\S+)$/i.exec(header)?.[1];
  return encoded === undefined ? undefined : Buffer.from(encoded, 'base64').toString().split(':')[0];
}

/** Takes the same time wherever two keys differ. */
export function isSameSecret(one: string, other: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(one), hash(other));
}

/** Runs a request, unless one with its idempotency key was answered: then that answer stands ("Idempotent requests"). */
async function runOnce(
  ledger: Ledger,
  call: Call,
  { idempotencyKey }: LedgerCause,
  line: string,
): Promise<Answer> {
  if (idempotencyKey === null) return run(ledger, call);
  const id = `answer_${createHash('sha256').update(idempotencyKey).digest('hex')}`;
  const fingerprint = createHash('sha256').update(`${line}\n${call.form}`).digest('hex');
  const kept = await ledger.find('emulator.answer', id);
  if (kept && kept.created + DAY_SECONDS > ledger.time) {
    if (kept.fingerprint !== fingerprint)
      throw new StripeFailure(
        `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${idempotencyKey}' if you meant to execute a different request.`,
        { status: 400, type: 'idempotency_error' },
      );
    return { status: kept.status, body: kept.body, isReplay: true, time: ledger.time };
  }
  const answer = await run(ledger, call);
  const created = Math.floor(ledger.time);
  const { status, body } = answer;
  const record: IdempotentAnswer = { id, object: 'emulator.answer', created, fingerprint, status, body };
  ledger.save('emulator.answer', record, { dueAt: created + DAY_SECONDS });
  return answer;
}

async function run(ledger: Ledger, { route, ids, form, requestId, moveClock }: Call): Promise<Answer> {
  const parameters = readParameters(parseForm(form));
  const result = await route.run({ ledger, parameters, ids, moveClock });
  if (isCardRefusal(result)) {
    const { code, decline } = result;
    const fields = { status: 402, type: 'card_error', code, declineCode: decline } as const;
    return {
      status: 402,
      time: ledger.time,
      body: describeFailure(new StripeFailure('Your card was declined.', fields), requestId),
    };
  }
  const body = structuredClone(result);
  await expandObject(ledger, body, parameters.texts('expand'));
  return { status: 200, body, time: ledger.time };
}

function present(
  { status, body, isReplay = false, time }: Answer,
  requestId: string,
  idempotencyKey: string | null,
): Response {
  return Response.json(body, {
    status,
    headers: {
      'request-id': requestId,
      'stripe-version': API_VERSION,
      'cache-control': 'no-store',
      ...(idempotencyKey === null ? {} : { 'idempotency-key': encodeURIComponent(idempotencyKey) }),
      // The provider's clock: whoever compares dates with it follows when it is moved.
      ...(time === undefined ? {} : { date: new Date(time * 1000).toUTCString() }),
      ...(isReplay ? { 'idempotent-replayed': 'true' } : {}),
    },
  });
}

type Matcher = { readonly route: ApiRoute; readonly pattern: RegExp };

const MATCHERS: readonly Matcher[] = [
  ...CUSTOMER_ROUTES,
  ...SUBSCRIPTION_ROUTES,
  ...PAYMENT_ROUTES,
  ...CHECKOUT_ROUTES,
  ...PORTAL_ROUTES,
  ...TEST_CLOCK_ROUTES,
].map((route) => ({ route, pattern: new RegExp(`^${route.path.replaceAll(':id', '([^/]+)')}$`) }));

/** The route that answers, and the ids in the address. */
function findRoute(method: string, path: string): { route: ApiRoute; ids: readonly string[] } | undefined {
  for (const { route, pattern } of MATCHERS) {
    if (route.method !== method) continue;
    const match = pattern.exec(path);
    if (match) return { route, ids: match.slice(1).map((id) => safeDecode(id)) };
  }
  return undefined;
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
