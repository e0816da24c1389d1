import { createClient } from '@supabase/supabase-js';
import { createClient as createClientOfMay2025 } from 'supabase-js-2-49';
import type { Client } from './create-visitor.ts';
import type { Deployment } from './start-deployment.ts';

export type PublishedClient = {
  readonly version: string;
  /** The serializer it speaks (protocol note, section 3.1). */
  readonly serializer: '1.0.0' | '2.0.0';
  readonly createClient: typeof createClient;
};

/** What each published client is to be tested with: today's and the one that the older serializer lives on in. */
export const PUBLISHED_CLIENTS: readonly [PublishedClient, PublishedClient] = [
  { version: '2.119.1', serializer: '2.0.0', createClient },
  // The older one lacks newer methods only; what both have is called alike.
  {
    version: '2.49.4',
    serializer: '1.0.0',
    createClient: createClientOfMay2025 as unknown as typeof createClient,
  },
];

export type Listener = {
  readonly client: Client;
  /** Gives the client another access token, as a renewed session does. */
  renew(accessToken: string): Promise<void>;
  /** Ends all channels and the socket. */
  close(): Promise<unknown>;
};

/** A client whose access token the test decides: null is a visitor who has only the public key. */
export async function createListener(
  { url, anonKey }: Pick<Deployment, 'url' | 'anonKey'>,
  published: PublishedClient,
  accessToken: string | null = null,
): Promise<Listener> {
  let token = accessToken ?? anonKey;
  const client = published.createClient(url, anonKey, { accessToken: async () => token });
  await client.realtime.setAuth();
  return {
    client,
    renew: async (renewed) => {
      token = renewed;
      await client.realtime.setAuth();
    },
    close: () => client.removeAllChannels(),
  };
}
