import { join } from 'node:path';
import { installBinaries } from '@linkoteca/embedded-postgres/binaries';
import { revertUpgrade, upgradeCluster } from '@linkoteca/embedded-postgres/upgrade-cluster';
import { describeFailure } from '../describe-failure.ts';
import { forgetArchiving } from '../jobs/base-backups.ts';
import type { Settings } from '../kernel/settings.ts';
import { readSettings } from '../read-settings.ts';
import { CommandError } from './run-command.ts';
import { transferDatabase } from './transfer-database.ts';

const USAGE =
  'Uso: npm run upgrade-postgres (--from PASTA: a do Postgres de antes, com bin/ e lib/; --back: de volta).';

/** `npm run upgrade-postgres`: moves the embedded database to the major version of this program's Postgres; `-- --back` undoes it. */
try {
  const settings = readSettings(process.env);
  if (settings.databaseUrl !== undefined)
    throw new CommandError('O banco de dados é o de DATABASE_URL: mude a versão onde ele está.');
  const [option, folder, ...rest] = process.argv.slice(2);
  if (option === '--back' && folder === undefined) await goBack(settings);
  else if (option === undefined) await goForward(settings);
  else if (option === '--from' && folder !== undefined && rest.length === 0)
    await goForward(settings, folder);
  else throw new CommandError(USAGE);
} catch (error) {
  process.stderr.write(`${error instanceof CommandError ? error.message : describeFailure(error)}\n`);
  process.exitCode = 1;
}

async function goForward(settings: Settings, binaries?: string): Promise<void> {
  const done = await upgradeCluster({
    ...planSwap(settings),
    workFolder: join(settings.dataFolder, 'postgres.upgrading'),
    async findOldBinaries(majorVersion, place) {
      if (binaries !== undefined) return binaries;
      process.stderr.write(`Instalando o Postgres ${majorVersion} para ler o banco de dados …\n`);
      return installBinaries(majorVersion, place);
    },
    async transfer(from, to) {
      process.stderr.write('Copiando o banco de dados …\n');
      const { rows, warnings } = await transferDatabase(from, to);
      process.stderr.write(`${rows} linhas copiadas e conferidas.\n`);
      for (const warning of warnings) process.stderr.write(`Atenção: ${warning}.\n`);
    },
  });
  process.stdout.write(
    done === undefined
      ? 'O banco de dados já é da versão deste programa: não há o que fazer.\n'
      : `Pronto: o banco de dados passou do Postgres ${done.from} ao ${done.to}. O de antes ficou em ${done.keptAside}; ` +
          'apague-o quando não precisar mais ("npm run upgrade-postgres -- --back" volta a ele).\n',
  );
}

async function goBack(settings: Settings): Promise<void> {
  const { from, to, keptAside } = await revertUpgrade(planSwap(settings));
  process.stdout.write(
    `Pronto: o banco de dados voltou a ser o de antes, do Postgres ${to}; use com ele a versão anterior da Linkoteca. ` +
      `O do Postgres ${from}, com o que se escreveu desde a mudança, ficou em ${keptAside}.\n`,
  );
}

/** Another cluster has another log: what is archived of this one does not lead into it. */
function planSwap(settings: Settings) {
  const dataFolder = join(settings.dataFolder, 'postgres');
  return { dataFolder, now: () => new Date(), beforeSwap: async () => forgetArchiving(dataFolder) };
}
