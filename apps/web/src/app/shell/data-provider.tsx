import { QueryClientProvider } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { useConnection } from '../../shared/lib/connection/connection-context.tsx';
import { createQueryClient } from '../../shared/lib/create-query-client.ts';
import { useUserId } from '../../shared/lib/session/session-context.tsx';
import { DatabaseContext, useBackend } from '../../shared/lib/supabase/backend-context.tsx';
import { createDatabaseClient } from '../../shared/lib/supabase/create-database-client.ts';
import { beginReading } from './begin-reading.ts';
import { followConnection } from './follow-connection.ts';
import { LastSeen } from './last-seen.tsx';
import { ReopeningNotice } from './reopening-notice.tsx';
import { SubscriptionCheck } from './subscription-check.tsx';

/**
 * The table client and the query cache for everything below. Both come and go with the shell: the sign-in screens do
 * not carry their code, and nothing that one person read is left for the next. What is kept for times without network
 * is on this device, not here (decision 0024).
 */
export function DataProvider({ children }: { readonly children: ReactNode }) {
  const { config, auth } = useBackend();
  const connection = useConnection();
  const userId = useUserId();
  const { categoryId } = useParams({ strict: false });
  const [database] = useState(() => createDatabaseClient(config, auth, connection?.request));
  const [queryClient] = useState(() => {
    if (connection) followConnection(connection);
    const client = createQueryClient();
    beginReading({ queryClient: client, database, userId, categoryId });
    return client;
  });
  return (
    <DatabaseContext value={database}>
      <QueryClientProvider client={queryClient}>
        <LastSeen />
        <SubscriptionCheck />
        <ReopeningNotice />
        {children}
      </QueryClientProvider>
    </DatabaseContext>
  );
}
