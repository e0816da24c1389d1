import type { RouterHistory } from '@tanstack/react-router';
import { RouterProvider } from '@tanstack/react-router';
import { useState } from 'react';
import { AppProviders } from './app-providers.tsx';
import type { AppServices } from './create-app-services.ts';
import { createAppRouter } from './router.tsx';

/** The whole app over its services. */
export function App({ history, ...services }: AppServices & { readonly history?: RouterHistory }) {
  const [router] = useState(() => createAppRouter(history));
  return (
    <AppProviders {...services}>
      <RouterProvider router={router} />
    </AppProviders>
  );
}
