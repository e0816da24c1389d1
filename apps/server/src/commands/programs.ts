import { isUuid } from '@linkoteca/domain/uuid';
import { asAuthAdmin } from '../kernel/database.ts';
import { readClientMetadata } from '../services/auth/oauth-server/client-metadata.ts';
import {
  deleteClient,
  findClient,
  insertClient,
  listClients,
} from '../services/auth/oauth-server/client-store.ts';
import { presentClient } from '../services/auth/oauth-server/present-client.ts';
import { type ProgramsPlan, planPrograms } from './plan-programs.ts';
import { type CommandContext, CommandError, runCommand } from './run-command.ts';

const [NAME, ADD, REDIRECT, SITE, SECRET] = ['programs', '--add', '--redirect', '--site', '--secret'];
const USAGE =
  `Uso: npm run -s ${NAME} (mostra os programas; ${ADD} NOME ${REDIRECT} ENDEREÇO [${REDIRECT} …] [${SITE} ENDEREÇO] [${SECRET}]: registra um; ` +
  '--remove ID: encerra um, com tudo o que as pessoas permitiram a ele).';
/** As many as anybody reads. */
const MOST_LISTED = 1000;

/** `npm run -s programs`: the programs that people may let act for them (OAuth 2.1), as JSON: to read, to register, to end. */
await runCommand(process.env, async (context) => {
  const plan = planPrograms(process.argv.slice(2));
  if (!plan) throw new CommandError(USAGE);
  return JSON.stringify(await run(context, plan), null, 2);
});

async function run({ db }: CommandContext, plan: ProgramsPlan): Promise<unknown> {
  if (plan.kind === 'list') {
    const { clients } = await asAuthAdmin(db, 'list programs', (tx) =>
      listClients(tx, { limit: MOST_LISTED, offset: 0 }),
    );
    return clients.map((client) => presentClient(client));
  }
  const now = new Date();
  if (plan.kind === 'remove') {
    const { id } = plan;
    const ended = await asAuthAdmin(db, 'end a program', async (tx) => {
      const client = isUuid(id) ? await findClient(tx, id) : undefined;
      if (client) await deleteClient(tx, id, now);
      return client;
    });
    if (!ended) throw new CommandError(`Não há um programa com o id ${id}.`);
    return presentClient(ended);
  }
  const read = readClientMetadata(plan.body);
  if (!read.ok) throw new CommandError(`${read.fault.message}. ${USAGE}`);
  const { client, secret } = await asAuthAdmin(db, 'register a program', (tx) =>
    insertClient(tx, { metadata: read.metadata, registrationType: 'manual' }, now),
  );
  // Nobody can read the secret again.
  return presentClient(client, secret);
}
