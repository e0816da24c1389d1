import { runProjectCommand } from '@linkoteca/server-process/run-project-command';
import type { RunningServer } from './run-server.ts';

type Organisation = { readonly metadata: string; readonly domain: string };

/** Lets an organisation's people in by its own identity provider, as an operator does. */
export async function registerOrganisation(
  { url, dataFolder }: RunningServer,
  { metadata, domain }: Organisation,
): Promise<void> {
  const { stdout } = await runProjectCommand('keys', [], {
    DATA_DIR: dataFolder,
    PORT: new URL(url).port,
    SITE_URL: url,
  });
  const { serviceRoleKey } = JSON.parse(stdout) as { serviceRoleKey: string };
  const response = await fetch(`${url}/auth/v1/admin/sso/providers`, {
    method: 'POST',
    headers: { authorization: `Bearer ${serviceRoleKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      type: 'saml',
      metadata_xml: metadata,
      domains: [domain],
      attribute_mapping: { keys: { name: { name: 'displayName' } } },
    }),
  });
  if (!response.ok) throw new Error(`the organisation was refused: ${await response.text()}`);
}
