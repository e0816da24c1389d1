import { BackupError } from '@linkoteca/backup/backup-error';
import { openPlace } from '../backups/backup-place.ts';
import { describePurges } from '../backups/let-rest.ts';
import { restoreInstallation } from '../backups/restore-installation.ts';
import { showProgress } from '../backups/show-progress.ts';
import { describeFailure } from '../describe-failure.ts';
import type { Settings } from '../kernel/settings.ts';
import { readSettings } from '../read-settings.ts';

const REPLACE = '--replace';

/** `npm run restore -- FILE [--replace]`: this installation becomes what it was when it was backed up. */
let settings: Settings | undefined;
const progress = showProgress(process.stderr);
try {
  settings = readSettings(process.env);
  const given = process.argv.slice(2);
  const [place, ...rest] = given.filter((argument) => argument !== REPLACE);
  if (place === undefined || place.startsWith('-') || rest.length > 0)
    throw new BackupError(
      `Uso: npm run restore -- ARQUIVO [${REPLACE}] (ou s3:NOME, no armazenamento de objetos).`,
    );
  const { store, name } = openPlace(place, settings, process.env['INIT_CWD'] ?? process.cwd());
  const { manifest, totals, newer, warnings, aside, jwtSecrets, purges } = await restoreInstallation({
    settings,
    store,
    name,
    replace: given.includes(REPLACE),
    onProgress: ({ rows, files }) => progress.update(() => `${rows} linhas, ${files} arquivos`),
  });
  progress.end();
  const rows = Object.values(totals.rows).reduce((sum, count) => sum + count, 0);
  const createdAt = new Date(manifest.createdAt).toLocaleString('pt-BR');
  const [signing = ''] = jwtSecrets;
  const hasOtherSecret = settings.jwtSecrets.length > 0 && !settings.jwtSecrets.includes(signing);
  const lines = [
    `Restaurado o backup de ${createdAt}: ${rows} linhas e ${totals.files} arquivos, todos conferidos; os direitos são os de uma instalação nova.`,
    ...(newer.length > 0 ? [`O banco era de uma versão anterior: ${newer.length} migrações aplicadas.`] : []),
    ...(aside === undefined ? [] : [`O que havia antes está em ${aside}: apague quando não precisar mais.`]),
    ...(hasOtherSecret
      ? ['Atenção: JWT_SECRET não é o segredo do backup: as sessões e as chaves de antes não valem com ele.']
      : []),
    ...(settings.walArchive === undefined
      ? []
      : [
          'Atenção: com este banco começa outra história: o início põe de lado o que está em WAL_ARCHIVE_DIR.',
        ]),
    ...(totals.lostFiles.length > 0
      ? [`Atenção: ${totals.lostFiles.length} arquivos já não tinham conteúdo quando o backup foi feito.`]
      : []),
    ...describePurges(purges),
    ...warnings.map((warning) => `Atenção: ${warning}.`),
    'Inicie com npm start.',
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
} catch (error) {
  progress.end();
  process.stderr.write(`${describeFailure(error, settings)}\n`);
  process.exitCode = 1;
}
