import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fillDemoLibrary, OWNER_NAME } from './demo-library.ts';
import { asAuthAdmin, type Database } from './kernel/database.ts';
import { PROJECT_FOLDER } from './project-folders.ts';
import { runCommand } from './run-command.ts';
import { DEFAULT_AUTH_SETTINGS } from './services/auth/auth-settings.ts';
import { createPasswordHasher } from './services/auth/create-password-hasher.ts';
import { confirmEmail } from './services/auth/stores/confirm-email.ts';
import { findUser } from './services/auth/stores/find-user.ts';
import { insertUser } from './services/auth/stores/insert-user.ts';

const EMAIL = 'demo@linkoteca.local';

/** `npm run demo`: a confirmed account with a library to look around in. Run again, it changes nothing. */
await runCommand(process.env, async ({ db, settings, jwtSecrets }) => {
  const password = derivePassword(jwtSecrets);
  const userId = await ensureAccount(db, password);
  const library = JSON.parse(readFileSync(join(PROJECT_FOLDER, 'supabase/demo/library.json'), 'utf8'));
  const links = await fillDemoLibrary(db, userId, library);
  return [
    `Conta de demonstração com ${links} links, pronta em ${settings.siteUrl}/login`,
    `  e-mail: ${EMAIL}`,
    `  senha: ${password}`,
  ].join('\n');
});

/** The same every time, and known to whoever may read the installation's secrets only: the server may be public. */
function derivePassword(jwtSecrets: readonly string[]): string {
  const mac = createHmac('sha256', jwtSecrets.at(-1) ?? '')
    .update('linkoteca/demo-password/v1')
    .digest('base64url');
  return `demo-${mac.replaceAll(/[-_]/g, '').slice(0, 12)}`;
}

/** @returns the account's id. One that exists keeps what it has, except that the printed password works again. */
async function ensureAccount(db: Database, password: string): Promise<string> {
  const passwords = await createPasswordHasher(DEFAULT_AUTH_SETTINGS.passwordHashing);
  return asAuthAdmin(db, 'make the demo account', async (tx) => {
    const known = await findUser(tx, { email: EMAIL }, { lock: true });
    if (known && (await passwords.check(password, known.encrypted_password)).matches) return known.id;
    const passwordHash = await passwords.hash(password);
    if (known) {
      await tx.query({
        text: 'update auth.users set encrypted_password = $2 where id = $1',
        values: [known.id, passwordHash],
      });
      return known.id;
    }
    const now = new Date();
    const id = await insertUser(
      tx,
      { email: EMAIL, passwordHash, userMetadata: { name: OWNER_NAME, firstName: OWNER_NAME } },
      now,
    );
    if (id === undefined) throw new Error('the demo account was made by somebody else at the same moment');
    await confirmEmail(tx, id, now);
    return id;
  });
}
