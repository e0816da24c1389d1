import type { AuthChangeEvent, Factor, GoTrueClient, Session } from '@supabase/auth-js';
import { AuthApiError } from '@supabase/auth-js';
import { vi } from 'vitest';

type Listener = (event: AuthChangeEvent, session: Session | null) => void;

/** A saved session of a person called Ana de Souza, with one's own metadata if given. */
export function fakeSession(metadata: Record<string, unknown> = { name: 'Ana de Souza' }): Session {
  return {
    access_token: 'access-token',
    refresh_token: 'refresh-token',
    token_type: 'bearer',
    expires_in: 3600,
    expires_at: 4_102_444_800,
    user: {
      id: '11111111-1111-4111-8111-111111111111',
      aud: 'authenticated',
      email: 'ana@exemplo.com',
      app_metadata: {},
      user_metadata: metadata,
      created_at: '2025-05-11T12:00:00Z',
    },
  };
}

/** An authenticator app that counts. */
export const fakeFactor: Factor = {
  id: '22222222-2222-4222-8222-222222222222',
  factor_type: 'totp',
  status: 'verified',
  friendly_name: 'Celular',
  created_at: '2025-05-11T12:00:00Z',
  updated_at: '2025-05-11T12:00:00Z',
};

/** A security key that counts. */
export const fakeKey: Factor = {
  ...fakeFactor,
  id: '66666666-6666-4666-8666-666666666666',
  factor_type: 'webauthn',
  friendly_name: 'Este aparelho',
};

/** A phone that counts. */
export const fakePhone: Factor = {
  ...fakeFactor,
  id: '77777777-7777-4777-8777-777777777777',
  factor_type: 'phone',
  friendly_name: 'Telefone com final 5678',
};

/** A set of recovery codes. */
export const fakeRecoveryCodes: Factor = {
  ...fakeFactor,
  id: '44444444-4444-4444-8444-444444444444',
  factor_type: 'recovery_code',
  friendly_name: 'Códigos de recuperação',
};

/** That session at a level, of somebody with these second factors. */
export function withLevel(aal: 'aal1' | 'aal2', factors: readonly Factor[] = []): Session {
  const session = fakeSession();
  return {
    ...session,
    access_token: `e30.${btoa(JSON.stringify({ aal }))}.x`,
    user: { ...session.user, factors: [...factors] },
  };
}

/** An error as the auth service answers it. */
export function authFailure(code: string, message: string = code, status = 400): AuthApiError {
  return new AuthApiError(message, status, code);
}

/**
 * An auth client without a service: every call succeeds until a test says otherwise (`auth.signUp.mockResolvedValue`).
 * `session: undefined` keeps the start loading; `announce` sends an event as the client would.
 */
export function createFakeAuth(initial: Session | null | undefined) {
  const listeners = new Set<Listener>();
  let session = initial ?? null;
  const announce = (event: AuthChangeEvent, next: Session | null) => {
    session = next;
    for (const listener of [...listeners]) listener(event, next);
  };
  const signIn = () => {
    const next = fakeSession();
    announce('SIGNED_IN', next);
    return { data: { session: next, user: next.user }, error: null };
  };
  const fake = {
    announce,
    onAuthStateChange: (listener: Listener) => {
      listeners.add(listener);
      if (initial !== undefined) queueMicrotask(() => listener('INITIAL_SESSION', session));
      return {
        data: {
          subscription: { id: '1', callback: listener, unsubscribe: () => listeners.delete(listener) },
        },
      };
    },
    getUser: vi.fn(async (): Promise<unknown> => ({ data: { user: session?.user ?? null }, error: null })),
    getSession: vi.fn(async () => ({ data: { session }, error: null }) as unknown),
    refreshSession: vi.fn(async () => ({ data: { session }, error: null }) as unknown),
    signInWithPassword: vi.fn(async (_form: unknown): Promise<unknown> => signIn()),
    signInWithOAuth: vi.fn(async (_options: unknown): Promise<unknown> => ({ data: {}, error: null })),
    signInWithSSO: vi.fn(async (_options: unknown): Promise<unknown> => ({ data: {}, error: null })),
    signUp: vi.fn(
      async (_form: unknown): Promise<unknown> => ({ data: { user: { identities: [{}] } }, error: null }),
    ),
    resend: vi.fn(async (_options: unknown): Promise<unknown> => ({ data: {}, error: null })),
    resetPasswordForEmail: vi.fn(async (..._: unknown[]): Promise<unknown> => ({ data: {}, error: null })),
    verifyOtp: vi.fn(async (_proof: unknown): Promise<unknown> => {
      const next = fakeSession();
      announce('PASSWORD_RECOVERY', next);
      return { data: { session: next, user: next.user }, error: null };
    }),
    updateUser: vi.fn(async (_attributes: unknown): Promise<unknown> => ({ data: {}, error: null })),
    reauthenticate: vi.fn(async (): Promise<unknown> => ({ data: {}, error: null })),
    mfa: {
      listFactors: vi.fn(async (): Promise<unknown> => ({ data: { all: [] }, error: null })),
      enroll: vi.fn(async (_form: unknown): Promise<unknown> => ({ data: null, error: null })),
      challengeAndVerify: vi.fn(async (_proof: unknown): Promise<unknown> => {
        announce('MFA_CHALLENGE_VERIFIED', withLevel('aal2', [fakeFactor]));
        return { data: {}, error: null };
      }),
      challenge: vi.fn(async (_factor: unknown): Promise<unknown> => ({ data: {}, error: null })),
      verify: vi.fn(async (_proof: unknown): Promise<unknown> => {
        announce('MFA_CHALLENGE_VERIFIED', withLevel('aal2', [fakeKey]));
        return { data: {}, error: null };
      }),
      unenroll: vi.fn(async (_factor: unknown): Promise<unknown> => ({ data: {}, error: null })),
      recoveryCodes: {
        getStatus: vi.fn(async (): Promise<unknown> => ({ data: { total: 10, remaining: 7 }, error: null })),
        generate: vi.fn(async (_form: unknown): Promise<unknown> => ({ data: { codes: [] }, error: null })),
        regenerate: vi.fn(async (): Promise<unknown> => ({ data: { codes: [] }, error: null })),
        unenroll: vi.fn(async (): Promise<unknown> => ({ data: {}, error: null })),
        verify: vi.fn(async (_proof: unknown): Promise<unknown> => {
          announce('MFA_CHALLENGE_VERIFIED', withLevel('aal2', [fakeFactor, fakeRecoveryCodes]));
          return { data: {}, error: null };
        }),
      },
    },
    passkey: {
      list: vi.fn(async (): Promise<unknown> => ({ data: [], error: null })),
      update: vi.fn(async (_name: unknown): Promise<unknown> => ({ data: {}, error: null })),
      delete: vi.fn(async (_which: unknown): Promise<unknown> => ({ data: null, error: null })),
    },
    registerPasskey: vi.fn(async (): Promise<unknown> => ({ data: { id: 'nova' }, error: null })),
    signInWithPasskey: vi.fn(async (_options: unknown): Promise<unknown> => signIn()),
    oauth: {
      getAuthorizationDetails: vi.fn(async (_id: unknown): Promise<unknown> => ({ data: {}, error: null })),
      approveAuthorization: vi.fn(async (..._: unknown[]): Promise<unknown> => ({ data: {}, error: null })),
      denyAuthorization: vi.fn(async (..._: unknown[]): Promise<unknown> => ({ data: {}, error: null })),
      listGrants: vi.fn(async (): Promise<unknown> => ({ data: [], error: null })),
      revokeGrant: vi.fn(async (_options: unknown): Promise<unknown> => ({ data: {}, error: null })),
    },
    signOut: vi.fn(async (_options: unknown): Promise<{ error: Error | null }> => {
      announce('SIGNED_OUT', null);
      return { error: null };
    }),
    admin: {
      signOut: vi.fn(async (..._: unknown[]): Promise<{ error: Error | null }> => ({ error: null })),
    },
  };
  return { ...fake, client: fake as unknown as GoTrueClient };
}

export type FakeAuth = ReturnType<typeof createFakeAuth>;
