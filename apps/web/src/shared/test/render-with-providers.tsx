import { QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { ConnectionContext } from '../lib/connection/connection-context.tsx';
import type { Connection } from '../lib/connection/create-connection.ts';
import { createQueryClient } from '../lib/create-query-client.ts';
import type { AppConfig } from '../lib/load-app-config.ts';
import { createSessionStore } from '../lib/session/create-session-store.ts';
import { SessionContext } from '../lib/session/session-context.tsx';
import { BackendContext, DatabaseContext } from '../lib/supabase/backend-context.tsx';
import { ToastRegion } from '../ui/feedback/toast-region.tsx';
import type { FakeAuth } from './create-fake-auth.ts';
import { createFakeAuth, fakeSession } from './create-fake-auth.ts';
import type { FakeAnswer, FakeRequest } from './create-fake-database.ts';
import { createFakeDatabase } from './create-fake-database.ts';

interface Surroundings {
  readonly auth?: FakeAuth;
  /** Answers of the table service; an empty list unless given. */
  readonly respond?: (request: FakeRequest) => FakeAnswer | Promise<FakeAnswer>;
  /** What this deployment says otherwise. */
  readonly config?: Partial<AppConfig>;
  readonly connection?: Connection | null;
}

export const fakeConfig = {
  supabaseUrl: 'http://servico.exemplo',
  supabaseAnonKey: 'anon-key',
  signInProviders: [],
  paymentsEmulated: false,
  publicPagesDrawn: true,
  personalTokens: true,
  securityKeys: true,
  webhooks: false,
  phoneFactors: true,
  passkeys: true,
  organisations: false,
} as const;

/** Renders a component that needs no router, for a signed-in person, with toasts. Resolves once the session is known. */
export async function renderWithProviders(ui: ReactNode, surroundings: Surroundings = {}) {
  const auth = surroundings.auth ?? createFakeAuth(fakeSession());
  const database = createFakeDatabase(surroundings.respond ?? (() => ({ body: [] })));
  const session = createSessionStore({ auth: auth.client, storage: localStorage });
  await Promise.resolve();
  const queryClient = createQueryClient();
  const view = render(
    <BackendContext
      value={{
        config: { ...fakeConfig, ...surroundings.config },
        auth: auth.client,
        authLink: { kind: 'none' },
      }}
    >
      <SessionContext value={session}>
        <DatabaseContext value={database}>
          <ConnectionContext value={surroundings.connection ?? null}>
            <QueryClientProvider client={queryClient}>{ui}</QueryClientProvider>
          </ConnectionContext>
        </DatabaseContext>
      </SessionContext>
      <ToastRegion />
    </BackendContext>,
  );
  return { ...view, auth, queryClient };
}
