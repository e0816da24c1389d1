import type { Connection } from './create-connection.ts';

/**
 * A fetch for the auth client. While the services are away, renewing the session waits for them: a renewal that fails
 * would be tried for half a minute and then not again for a whole one, long after everything else is back.
 * All other requests (signing in) go out and fail at once, with words for the person.
 */
export function holdWhileOffline(connection: Connection): typeof fetch {
  return async (input, init) => {
    if (isRenewal(input)) await untilOnline(connection);
    return connection.request(input, init);
  };
}

function isRenewal(input: Parameters<typeof fetch>[0]): boolean {
  const address = input instanceof Request ? input.url : String(input);
  return address.includes('grant_type=refresh_token');
}

function untilOnline(connection: Connection): Promise<void> {
  if (connection.isOnline()) return Promise.resolve();
  return new Promise((resolve) => {
    const stop = connection.subscribe(() => {
      if (!connection.isOnline()) return;
      stop();
      resolve();
    });
  });
}
