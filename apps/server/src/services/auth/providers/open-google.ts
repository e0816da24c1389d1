import * as client from 'openid-client';
import type { GoogleSettings } from '../auth-settings.ts';

/** The provider's addresses and keys, together with our registration there. */
export type Google = {
  /** Asks the provider for its addresses the first time, and again once a day. @throws Error when it cannot be reached. */
  readonly configuration: () => Promise<client.Configuration>;
  readonly clientId: string;
  readonly issuer: string;
};

const TIMEOUT_SECONDS = 10;
/** Addresses hardly ever change; keys are fetched by the library whenever an unknown one signs. */
const FRESH_MS = 24 * 3600 * 1000;

/**
 * Knows Google, or whoever stands in for it. Nothing is fetched before somebody wants to sign in: a server without a way to the
 * internet starts all the same. A failed attempt is forgotten, so the next person tries again.
 */
export function openGoogle({ issuer, clientId, clientSecret }: GoogleSettings, now: () => Date): Google {
  let known: { readonly at: number; readonly configuration: Promise<client.Configuration> } | undefined;

  const discover = () => {
    const server = new URL(issuer);
    // Plain http is for a provider on this machine, in tests; settings accept nothing else.
    const insecure = server.protocol === 'http:' ? [client.allowInsecureRequests] : [];
    return client.discovery(server, clientId, clientSecret, undefined, {
      timeout: TIMEOUT_SECONDS,
      // The signature of the token is verified too, although it came straight from the provider.
      execute: [client.enableNonRepudiationChecks, ...insecure],
    });
  };

  return {
    clientId,
    issuer,
    configuration: async () => {
      const at = now().getTime();
      if (known && Math.abs(at - known.at) < FRESH_MS) return known.configuration;
      const attempt = { at, configuration: discover() };
      known = attempt;
      try {
        return await attempt.configuration;
      } catch (error) {
        if (known === attempt) known = undefined;
        throw error;
      }
    },
  };
}
