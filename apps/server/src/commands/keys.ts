import { finishRestoration } from '../backups/finish-restoration.ts';
import { describeFailure } from '../describe-failure.ts';
import { createKeyring } from '../kernel/keyring.ts';
import { generateApiKey } from '../kernel/keys/api-keys.ts';
import { loadServerSecrets } from '../kernel/load-secrets.ts';
import { readSettings } from '../read-settings.ts';

/**
 * `npm run -s keys`: what a client library needs to reach this installation, as JSON and nothing else. With `publishable` or `secret` it
 * makes a further key of that kind and prints it; nothing knows it before it is in the settings.
 */
try {
  const [kind, ...rest] = process.argv.slice(2);
  if (kind === undefined) await printKeys();
  else if ((kind === 'publishable' || kind === 'secret') && rest.length === 0)
    process.stdout.write(`${generateApiKey(kind)}\n`);
  else throw new Error('Uso: npm run -s keys (publishable ou secret: faz uma chave nova).');
} catch (error) {
  process.stderr.write(`${describeFailure(error)}\n`);
  process.exitCode = 1;
}

async function printKeys(): Promise<void> {
  const settings = readSettings(process.env);
  const { siteUrl, dataFolder } = settings;
  await finishRestoration(dataFolder);
  const secrets = loadServerSecrets(settings);
  const { anonKey, serviceRoleKey, apiKeys } = await createKeyring({ apiKeys: settings.apiKeys, secrets });
  const [publishableKey] = apiKeys.publishable;
  const [secretKey] = apiKeys.secret;
  const keys = { url: siteUrl, publishableKey, secretKey, anonKey, serviceRoleKey };
  process.stdout.write(`${JSON.stringify(keys, null, 2)}\n`);
}
