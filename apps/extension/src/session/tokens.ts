import * as oauth from 'oauth4webapi';
import { discoverServer } from './authorization-server.ts';
import { createDatabase, type DatabaseClient } from './database.ts';
import { findLibraryOwner } from './library-owner.ts';
import { type Connection, ownerOf, readConnection, type Session, writeConnection } from './session-store.ts';

/**
 * The table client of a connection: it renews the token by itself, and notes when the connection has ended. Where
 * somebody else signs in meanwhile it keeps the token that it has.
 */
export function openDatabase(connection: Connection): DatabaseClient {
  const owner = ownerOf(connection);
  let used = connection.session.accessToken;
  return createDatabase(connection.installation, async (isStale) => {
    if (isStale) used = (await renewToken(owner, used)) ?? used;
    else used = (await readConnectionOf(owner))?.session.accessToken ?? used;
    return used;
  });
}

/** The connection as it is now; null also where it is somebody else's. */
async function readConnectionOf(owner: string): Promise<Connection | null> {
  const connection = await readConnection();
  return connection !== null && ownerOf(connection) === owner ? connection : null;
}

/**
 * Renews the access token, once for all pages of the extension that ask at a time: a refresh token that is used twice ends its session.
 * @param owner whose token it is (`ownerOf`).
 * @param refused the token that the services do not take.
 * @returns null where the connection has ended, and is noted so, or is somebody else's.
 * @throws TypeError without a network.
 */
function renewToken(owner: string, refused: string): Promise<string | null> {
  return navigator.locks.request('session', async () => {
    const connection = await readConnectionOf(owner);
    if (connection === null) return null;
    const { session } = connection;
    // Another page was here first.
    if (session.accessToken !== refused) return session.accessToken;
    const renewed = connection.hasEnded ? null : await refresh(connection, session);
    const now = await readConnectionOf(owner);
    // Somebody has signed in or out meanwhile.
    if (now?.session.accessToken !== refused) return now?.session.accessToken ?? null;
    await writeConnection({ ...connection, ...(renewed ? { session: renewed } : { hasEnded: true }) });
    return renewed?.accessToken ?? null;
  });
}

async function refresh({ installation }: Connection, session: Session): Promise<Session | null> {
  // A personal token is not renewed: it is good, and may not do this, or it has ended.
  if (session.kind === 'token')
    return (await findLibraryOwner(installation, session.accessToken)) === null ? null : session;
  const { metadata, options } = await discoverServer(installation);
  const client = { client_id: session.clientId };
  const response = await oauth.refreshTokenGrantRequest(
    metadata,
    client,
    oauth.None(),
    session.refreshToken,
    options,
  );
  try {
    const tokens = await oauth.processRefreshTokenResponse(metadata, client, response);
    return {
      ...session,
      accessToken: tokens.access_token,
      refreshToken: tokens.refresh_token ?? session.refreshToken,
    };
  } catch (error) {
    if (error instanceof oauth.ResponseBodyError && error.status < 500 && error.status !== 429) return null;
    // It has not said that there is no such session.
    throw new TypeError('Failed to fetch', { cause: error });
  }
}

/** Ends a connection here and, where it can be reached, at the installation. */
export async function disconnect(connection: Connection): Promise<void> {
  const { installation, session } = connection;
  await writeConnection(null);
  if (session.kind === 'token') return;
  try {
    const { metadata, options } = await discoverServer(installation);
    await oauth.revocationRequest(
      metadata,
      { client_id: session.clientId },
      oauth.None(),
      session.refreshToken,
      options,
    );
  } catch {
    // Without a network it ends when the person disconnects the program in their profile, as the page says.
  }
}
