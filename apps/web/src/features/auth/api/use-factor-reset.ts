import { useMemo } from 'react';
import * as v from 'valibot';
import { useBackend } from '../../../shared/lib/supabase/backend-context.tsx';
import { useAuthorizedFetch } from '../../../shared/lib/supabase/use-authorized-fetch.ts';

const resetSchema = v.variant('status', [
  v.object({ status: v.literal('none') }),
  v.object({ status: v.picklist(['waiting', 'ready']), ready_at: v.string() }),
]);

/** How far somebody who has lost every second factor has come. `unavailable`: the service knows no such way. */
export type FactorReset = v.InferOutput<typeof resetSchema> | { readonly status: 'unavailable' };

export interface FactorResetCalls {
  readonly read: () => Promise<FactorReset>;
  readonly ask: () => Promise<FactorReset>;
  readonly cancel: () => Promise<FactorReset>;
  /** Has a code mailed. */
  readonly mailCode: () => Promise<void>;
  /** Takes all factors away; the session then opens what it did not. */
  readonly finish: (nonce: string) => Promise<void>;
}

/** What the service refused with, as the auth client names it. */
class ResetRefused extends Error {
  override name = 'ResetRefused';
  readonly code: string;
  readonly status: number;

  constructor(code: string, status: number) {
    super(code);
    this.code = code;
    this.status = status;
  }
}

/** The factors are gone already: an answer was lost, or another device or the operator took them away. */
const isDone = (error: unknown): boolean =>
  error instanceof ResetRefused && error.code === 'mfa_factor_not_found';

const refusalSchema = v.object({ code: v.string() });

/** The way back in for whoever has lost every second factor: our own service's (docs/decisions/0092-lost-devices.md). All reject with what was refused. */
export function useFactorReset(): FactorResetCalls {
  const { config, auth } = useBackend();
  const request = useAuthorizedFetch();
  return useMemo(() => {
    const call = async (method: string, path = '', body?: object): Promise<unknown> => {
      const response = await request(`${config.supabaseUrl}/auth/v1/factors/reset${path}`, {
        method,
        headers: { 'content-type': 'application/json', 'x-supabase-api-version': '2024-01-01' },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      const answer: unknown = await response.json().catch(() => ({}));
      if (response.ok) return answer;
      const refusal = v.safeParse(refusalSchema, answer);
      throw new ResetRefused(refusal.success ? refusal.output.code : 'unknown', response.status);
    };
    const renewSession = async () => {
      const { error } = await auth.refreshSession();
      if (error) throw error;
    };
    const readReset = async (method: string) => v.parse(resetSchema, await call(method));
    return {
      read: () =>
        readReset('GET').catch((error: unknown) => {
          // The hosted platform leaves lost devices to whoever administers.
          if (error instanceof ResetRefused && [404, 405].includes(error.status))
            return { status: 'unavailable' };
          throw error;
        }),
      ask: () =>
        readReset('POST').catch(async (error: unknown) => {
          if (!isDone(error)) throw error;
          await renewSession();
          return { status: 'none' };
        }),
      cancel: () => readReset('DELETE'),
      mailCode: async () => {
        const { error } = await auth.reauthenticate();
        if (error) throw error;
      },
      finish: async (nonce) => {
        await call('POST', '/finish', { nonce }).catch((error: unknown) => {
          if (!isDone(error)) throw error;
        });
        await renewSession();
      },
    };
  }, [config, auth, request]);
}
