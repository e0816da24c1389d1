import { finishRestoration } from '../backups/finish-restoration.ts';
import { describeFailure } from '../describe-failure.ts';
import { createKeyring } from '../kernel/keyring.ts';
import { loadSecrets } from '../kernel/load-secrets.ts';
import { readSettings } from '../read-settings.ts';

/** `npm run -s keys`: what a client library needs to reach this installation, as JSON and nothing else. */
try {
  const { siteUrl, dataFolder, jwtSecrets } = readSettings(process.env);
  await finishRestoration(dataFolder);
  const secrets = jwtSecrets.length > 0 ? jwtSecrets : loadSecrets(dataFolder).jwtSecrets;
  const { anonKey, serviceRoleKey } = await createKeyring({ secrets });
  process.stdout.write(`${JSON.stringify({ url: siteUrl, anonKey, serviceRoleKey }, null, 2)}\n`);
} catch (error) {
  process.stderr.write(`${describeFailure(error)}\n`);
  process.exitCode = 1;
}
