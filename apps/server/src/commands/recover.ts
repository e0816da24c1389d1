import { join } from 'node:path';
import { recoverInPlace } from '@linkoteca/embedded-postgres/recover-cluster';
import { openWalArchive } from '@linkoteca/embedded-postgres/wal-archive';
import { describePurges, letRest } from '../backups/let-rest.ts';
import { describeFailure } from '../describe-failure.ts';
import { chooseServiceAccount } from '../give-up-root.ts';
import { forgetArchiving } from '../jobs/base-backups.ts';
import { readSettings } from '../read-settings.ts';
import { CommandError } from './run-command.ts';

/** `npm run recover -- MOMENT`: the embedded database as it was at that moment, in the place of today's, which is kept aside. */
try {
  const settings = readSettings(process.env);
  const target = readMoment(process.argv.slice(2).join(' '));
  if (settings.walArchive === undefined)
    throw new CommandError('Falta WAL_ARCHIVE_DIR: a pasta em que o servidor guardou o WAL.');
  const postgresFolder = join(settings.dataFolder, 'postgres');
  const archive = openWalArchive(settings.walArchive.folder, chooseServiceAccount(settings.dataFolder));
  process.stderr.write(`Recuperando o banco de dados como estava em ${describeMoment(target)} …\n`);
  let purges = 0;
  const { base, lastTransactionAt, missingSegment, keptAside } = await recoverInPlace(
    {
      archive,
      target,
      lostCluster: join(postgresFolder, 'cluster'),
      recoveredFolder: join(settings.dataFolder, 'postgres.recovering'),
      settle: async (connection, at) => {
        purges = await letRest(connection, at, new Date());
      },
    },
    () => new Date(),
  );
  // The first look of the next start makes a base backup of the new history.
  forgetArchiving(postgresFolder);
  const last = describeMoment(lastTransactionAt ?? new Date(base.finishedAt));
  process.stdout.write(`Pronto: a última transação é de ${last}.\n`);
  if (missingSegment !== undefined)
    process.stdout.write(
      `Atenção: em WAL_ARCHIVE_DIR falta o segmento ${missingSegment}: o que se escreveu a partir dele não está no banco recuperado.\n`,
    );
  for (const line of describePurges(purges)) process.stdout.write(`${line}\n`);
  if (keptAside !== undefined)
    process.stdout.write(`O banco de antes ficou em ${keptAside}; apague-o quando não precisar mais.\n`);
} catch (error) {
  process.stderr.write(`${error instanceof CommandError ? error.message : describeFailure(error)}\n`);
  process.exitCode = 1;
}

/** ISO 8601; without a zone it is this machine's. */
function readMoment(text: string): Date {
  const moment = new Date(text.trim().replace(/^(\d{4}-\d\d-\d\d) (?=\d)/, '$1T'));
  if (!/^\d{4}-\d\d-\d\d[ T]\d\d:\d\d/.test(text.trim()) || Number.isNaN(moment.getTime()))
    throw new CommandError(
      `Uso: npm run recover -- '2026-11-22 14:03:19' (hora desta máquina, ou com fuso: 2026-11-22T14:03:19-03:00)`,
    );
  if (moment > new Date()) throw new CommandError(`O momento ${describeMoment(moment)} ainda não chegou.`);
  return moment;
}

function describeMoment(moment: Date): string {
  return `${moment.toLocaleString('pt-BR', { dateStyle: 'short', timeStyle: 'medium' })} (${moment.toISOString()})`;
}
