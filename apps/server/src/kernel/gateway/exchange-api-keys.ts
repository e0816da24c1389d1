import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Keyring } from '../keyring.ts';
import { claimsToBeApiKey, isFromBrowser } from '../keys/api-keys.ts';
import { describeProblem, findService } from './answer-unknown-path.ts';

export type ApiKeyPlan =
  /** `authorization` replaces the header; undefined: it stays as it is. */
  | { readonly ok: true; readonly authorization: string | undefined }
  | { readonly ok: false; readonly message: string; readonly hint: string };

/**
 * The platform's opaque keys (`sb_publishable_…`, `sb_secret_…`) are for the gateway alone: services know roles by tokens. It refuses
 * unknown keys, and for a known one without a person's token it sets the token of the key's role, as the hosted gateway does.
 */
export function exchangeApiKeys(app: FastifyInstance, keyring: Pick<Keyring, 'exchangeApiKey'>): void {
  app.addHook('onRequest', (request, reply, done) => {
    const service = findService(request.url);
    // A preflight carries no key. The plain API takes tokens of people alone, and refuses all else in its own words.
    if (service === undefined || service === 'api' || request.method === 'OPTIONS') return done();
    const plan = planExchange(request.headers, keyring, service);
    if (!plan.ok) {
      const { message, hint } = plan;
      reply
        .code(401)
        .header('cache-control', 'no-store')
        .send({ ...describeProblem(401, 'invalid_api_key', message), hint });
      return;
    }
    // Functions are given what was sent: `request.raw` stays as it came.
    if (plan.authorization !== undefined) request.headers = { authorization: plan.authorization };
    done();
  });
}

const BEARER = /^bearer +(.*)$/i;
const WITHOUT_TOKEN = /^(?:bearer)? *$/i;

/** What the gateway does with the credentials of a request. Pure. @param service by its name in the address */
export function planExchange(
  headers: IncomingHttpHeaders,
  keyring: Pick<Keyring, 'exchangeApiKey'>,
  service: string,
): ApiKeyPlan {
  const { apikey, authorization } = headers;
  const given = (Array.isArray(apikey) ? apikey[0] : apikey)?.trim() ?? '';
  const bearer = BEARER.exec(authorization ?? '')?.[1]?.trim() ?? '';
  const isBearerKey = claimsToBeApiKey(bearer);
  // The published client sends its key twice where nobody is signed in. A key that stands for a person's token alone is none.
  if (isBearerKey && bearer !== given && service !== 'functions') return BEARER_REFUSED;
  if (!claimsToBeApiKey(given)) return UNCHANGED;
  const exchanged = keyring.exchangeApiKey(given);
  if (exchanged === undefined) return UNREGISTERED;
  if (exchanged.kind === 'secret' && isFromBrowser(headers)) return IN_BROWSER;
  const isPerson = !WITHOUT_TOKEN.test(authorization ?? '') && !isBearerKey;
  return isPerson ? UNCHANGED : { ok: true, authorization: `Bearer ${exchanged.token}` };
}

const UNCHANGED: ApiKeyPlan = { ok: true, authorization: undefined };
const UNREGISTERED: ApiKeyPlan = {
  ok: false,
  message: 'Unregistered API key',
  hint: 'Double check the provided API key as it is not registered for this project.',
};
const BEARER_REFUSED: ApiKeyPlan = {
  ok: false,
  message: 'Invalid API key',
  hint: 'Publishable and secret API keys are sent in the apikey header; Authorization is for the token of a user.',
};
const IN_BROWSER: ApiKeyPlan = {
  ok: false,
  message: 'Forbidden use of secret API key in browser',
  hint: 'Secret API keys can only be used in a protected environment and should never be used in a browser. Delete this secret API key immediately.',
};
