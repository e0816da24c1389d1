import { RouterProvider } from '@tanstack/react-router';
import { useState } from 'react';
import { AppProviders } from './app-providers.tsx';
import type { AppServices } from './create-app-services.ts';
import { createAppRouter } from './router.tsx';

/** The whole app over its services. */
export function App(services: AppServices) {
  const [router] = useState(() => createAppRouter());
  return (
    <AppProviders {...services}>
      <RouterProvider router={router} />
    </AppProviders>
  );
}
