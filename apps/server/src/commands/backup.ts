import { BackupError } from '@linkoteca/backup/backup-error';
import { backUp, toMegabytes } from '../backups/back-up.ts';
import { openPlace } from '../backups/backup-place.ts';
import { finishRestoration } from '../backups/finish-restoration.ts';
import { openOwnerDatabase } from '../backups/open-owner-database.ts';
import { showProgress } from '../backups/show-progress.ts';
import { describeFailure } from '../describe-failure.ts';
import { loadServerSecrets } from '../kernel/load-secrets.ts';
import type { Settings } from '../kernel/settings.ts';
import { readSettings } from '../read-settings.ts';

/** `npm run backup -- FILE`: database, files and secrets of one instant, whether the server runs or not. */
let settings: Settings | undefined;
const progress = showProgress(process.stderr);
try {
  settings = readSettings(process.env);
  const [place, ...rest] = process.argv.slice(2);
  if (place === undefined || place.startsWith('-') || rest.length > 0)
    throw new BackupError('Uso: npm run backup -- ARQUIVO (ou s3:NOME, no armazenamento de objetos).');
  const { store, name } = openPlace(place, settings, process.env['INIT_CWD'] ?? process.cwd());
  await finishRestoration(settings.dataFolder);
  const database = await openOwnerDatabase(settings);
  try {
    const jwtSecrets = loadServerSecrets(settings);
    const { connect } = database;
    const { bytes, totals, manifest } = await backUp({
      settings,
      jwtSecrets,
      connect,
      kind: 'by_hand',
      store,
      name,
      onProgress: ({ doneBytes, allBytes, rows }) =>
        progress.update(() => {
          const percent = allBytes === 0 ? 100 : Math.floor((100 * doneBytes) / allBytes);
          return `${percent} % (${toMegabytes(doneBytes)} de ${toMegabytes(allBytes)} MB, ${rows} linhas)`;
        }),
    });
    progress.end();
    const rows = Object.values(totals.rows).reduce((sum, count) => sum + count, 0);
    const lines = [
      `Backup pronto em ${place}: ${toMegabytes(bytes)} MB, ${rows} linhas, ${totals.files} arquivos, ${
        settings.backup.passphrase === undefined ? 'sem cifra' : 'cifrado'
      }.`,
      ...(settings.backup.passphrase === undefined
        ? ['Ele contém as chaves desta instalação: guarde-o bem, ou defina BACKUP_PASSPHRASE.']
        : []),
      ...(totals.lostFiles.length > 0
        ? [`Atenção: ${totals.lostFiles.length} arquivos já não tinham conteúdo (${totals.lostFiles[0]} …).`]
        : []),
      ...manifest.leftOut.map((what) => `Atenção: não faz parte do backup: ${what}.`),
    ];
    process.stdout.write(`${lines.join('\n')}\n`);
  } finally {
    await database.close();
  }
} catch (error) {
  progress.end();
  process.stderr.write(`${describeFailure(error, settings)}\n`);
  process.exitCode = 1;
}
