import { asAuthAdmin } from '../kernel/database.ts';
import { hasSecondFactor } from '../services/auth/factors/assurance.ts';
import { findUser } from '../services/auth/stores/users.ts';
import { CommandError, runCommand } from './run-command.ts';
import { setAdministrator } from './set-administrator.ts';

const SECURITY_PATH = '/profile?tab=security';

/** `npm run admin -- E-MAIL`: makes that account the administrator of this installation, in place of any other. */
await runCommand(process.env, async ({ db, settings }) => {
  const email = process.argv[2]?.trim().toLowerCase() ?? '';
  if (!email.includes('@'))
    throw new CommandError('Uso: npm run admin -- E-MAIL, ou npx linkoteca admin E-MAIL');
  const user = await asAuthAdmin(db, 'find the administrator', (tx) => findUser(tx, { email }));
  if (!user)
    throw new CommandError(
      `Não há conta com o e-mail ${email}: cadastre-a primeiro em ${settings.siteUrl}/signup.`,
    );
  if (settings.adminUserId !== undefined && settings.adminUserId !== user.id)
    throw new CommandError(
      `ADMIN_USER_ID já define outro administrador: tire-o da configuração, ou defina ADMIN_USER_ID=${user.id}.`,
    );
  await setAdministrator(db, user.id);
  const done = `${email} agora é o administrador desta instalação.`;
  if (hasSecondFactor(user)) return done;
  return `${done}\nA senha dele abre os dados de todos: ligue a verificação em duas etapas em ${settings.siteUrl}${SECURITY_PATH}.`;
});
