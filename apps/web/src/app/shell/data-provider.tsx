import { QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { createQueryClient } from '../../shared/lib/create-query-client.ts';
import { DatabaseContext, useBackend } from '../../shared/lib/supabase/backend-context.tsx';
import { createDatabaseClient } from '../../shared/lib/supabase/create-database-client.ts';

/**
 * The table client and the query cache for everything below. Both come and go with the shell: the sign-in screens do
 * not carry their code, and nothing that one person read is left for the next.
 */
export function DataProvider({ children }: { readonly children: ReactNode }) {
  const { config, auth } = useBackend();
  const [database] = useState(() => createDatabaseClient(config, auth));
  const [queryClient] = useState(createQueryClient);
  return (
    <DatabaseContext value={database}>
      <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
    </DatabaseContext>
  );
}
