import { createDataFolder } from '@linkoteca/server-process/create-data-folder';
import { findFreePort } from '@linkoteca/server-process/find-free-port';
import { startOpenIdProvider } from '@linkoteca/server-process/start-openid-provider';
import { startServerProcess } from '@linkoteca/server-process/start-server-process';
import { readKeys } from './read-keys.ts';

/** A running installation as its clients know it. */
export type Deployment = {
  readonly url: string;
  readonly anonKey: string;
  readonly serviceRoleKey: string;
  readonly dataFolder: string;
};

export type RunningDeployment = { readonly deployment: Deployment; remove(): Promise<void> };

/**
 * A server on a fresh data folder, with a provider that stands in for Google, and with the keys that `npm run -s keys` prints for it.
 * @param settings further variables of its environment.
 */
export async function startDeployment(
  settings: Readonly<Record<string, string>> = {},
): Promise<RunningDeployment> {
  const data = await createDataFolder();
  const port = await findFreePort();
  const google = await startOpenIdProvider(`http://127.0.0.1:${port}/auth/v1/callback`);
  const environment = {
    ...settings,
    GOOGLE_ISSUER: google.issuer,
    GOOGLE_CLIENT_ID: google.clientId,
    GOOGLE_CLIENT_SECRET: google.clientSecret,
  };
  const server = await startServerProcess({ dataFolder: data.path, port, environment }).catch(
    async (error: unknown) => {
      await google.stop();
      await data.remove();
      throw error;
    },
  );
  const remove = async () => {
    await server.stop();
    await google.stop();
    await data.remove();
  };
  try {
    const keys = await readKeys({ dataFolder: data.path, port });
    return { deployment: { ...keys, url: server.url, dataFolder: data.path }, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}
