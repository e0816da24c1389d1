import { createMemoryHistory } from '@tanstack/react-router';
import { render } from '@testing-library/react';
import type { Connection } from '../../shared/lib/connection/create-connection.ts';
import type { AppConfig } from '../../shared/lib/load-app-config.ts';
import type { RealtimeSource } from '../../shared/lib/realtime/realtime-source.ts';
import { createSessionStore } from '../../shared/lib/session/create-session-store.ts';
import type { AuthLink } from '../../shared/lib/supabase/read-auth-link.ts';
import type { FakeAuth } from '../../shared/test/create-fake-auth.ts';
import { createFakeAuth } from '../../shared/test/create-fake-auth.ts';
import { fakeConfig } from '../../shared/test/render-with-providers.tsx';
import { App } from '../app.tsx';

interface RenderAppOptions {
  readonly auth?: FakeAuth;
  readonly authLink?: AuthLink;
  /** What else this deployment says. */
  readonly config?: Partial<AppConfig>;
  /** Whether the services can be reached; always, unless one is given. */
  readonly connection?: Connection;
  /** Where changes come from; nothing is heard without one. */
  readonly realtime?: RealtimeSource;
}

/** Compiles what the app loads lazily, so that no test measures time that passes meanwhile. */
export async function loadScreens(): Promise<void> {
  await Promise.all([
    import('../shell/guarded-shell.tsx'),
    import('../pages/profile-page.tsx'),
    import('../pages/front-page.tsx'),
    import('../pages/plans-page.tsx'),
    import('../pages/drawn-page.tsx'),
    import('../organiser/dashboard-page.tsx'),
    import('../pages/dashboard-route.tsx'),
    import('../../features/account/components/account-popover.tsx'),
    import('../../features/auth/components/login-screen.tsx'),
    import('../pages/sign-up-route.tsx'),
    import('../../features/auth/components/reset-password-screen.tsx'),
    import('../../features/auth/components/change-password-screen.tsx'),
    import('../../features/auth/components/provider-buttons.tsx'),
    import('../../features/auth/components/link-notice.tsx'),
    import('../../features/auth/components/resend-confirmation.tsx'),
    import('../../shared/ui/fields/password-strength.tsx'),
    import('../../shared/ui/feedback/toast-region.tsx'),
  ]);
}

/** Renders the whole app at a path, without a service; a visitor unless an auth client is given. */
export function renderApp(path: string, options: RenderAppOptions = {}) {
  const { realtime } = options;
  const auth = options.auth ?? createFakeAuth(null);
  const history = createMemoryHistory({ initialEntries: [path] });
  const view = render(
    <App
      history={history}
      backend={{
        config: { ...fakeConfig, ...options.config },
        auth: auth.client,
        authLink: options.authLink ?? { kind: 'none' },
      }}
      session={createSessionStore({ auth: auth.client, storage: localStorage })}
      {...(options.connection ? { connection: options.connection } : {})}
      {...(realtime ? { openRealtime: async () => realtime } : {})}
    />,
  );
  return { ...view, auth, history, path: () => history.location.href };
}
