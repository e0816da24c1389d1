import { runProjectCommand } from '@linkoteca/server-process/run-project-command';

export type Keys = {
  readonly url: string;
  readonly publishableKey: string;
  readonly secretKey: string;
  readonly anonKey: string;
  readonly serviceRoleKey: string;
};

/**
 * The keys of an installation, asked for as an operator does: `npm run -s keys`.
 * @throws Error with what the command said when it did not print them.
 */
export async function readKeys(server: { dataFolder: string; port: number }): Promise<Keys> {
  const { code, stdout, stderr } = await runProjectCommand('keys', [], {
    DATA_DIR: server.dataFolder,
    PORT: String(server.port),
    SITE_URL: `http://127.0.0.1:${server.port}`,
  });
  if (code !== 0) throw new Error(`npm run -s keys ended with ${code}: ${stderr}${stdout}`);
  return JSON.parse(stdout) as Keys;
}
