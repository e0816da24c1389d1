import { QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { useConnection } from '../../shared/lib/connection/connection-context.tsx';
import { createQueryClient } from '../../shared/lib/create-query-client.ts';
import { DatabaseContext, useBackend } from '../../shared/lib/supabase/backend-context.tsx';
import { createDatabaseClient } from '../../shared/lib/supabase/create-database-client.ts';
import { followConnection } from '../shell/follow-connection.ts';

/**
 * The table client and a query cache of the admin area's own: what the administrator reads of others stays in this page's
 * memory, is never kept on the device, and goes with the area.
 */
export function AdminDataProvider({ children }: { readonly children: ReactNode }) {
  const { config, auth } = useBackend();
  const connection = useConnection();
  const [database] = useState(() => createDatabaseClient(config, auth, connection?.request));
  const [queryClient] = useState(() => {
    if (connection) followConnection(connection);
    return createQueryClient();
  });
  return (
    <DatabaseContext value={database}>
      <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
    </DatabaseContext>
  );
}
