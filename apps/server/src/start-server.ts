import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { listMigrations } from '@linkoteca/migrations/list-migrations';
import type { Logger } from 'pino';
import { finishRestoration } from './backups/finish-restoration.ts';
import { setAdministrator } from './commands/set-administrator.ts';
import { chooseServiceAccount, giveUpRoot } from './give-up-root.ts';
import { createOperatorAccess } from './kernel/gateway/operator-access.ts';
import { createHealth, type Health } from './kernel/health/create-health.ts';
import { createKeyring } from './kernel/keyring.ts';
import { loadSecrets } from './kernel/load-secrets.ts';
import { postponeMailer } from './kernel/mail.ts';
import { resolvePayments } from './kernel/resolve-payments.ts';
import { createRightsWatch } from './kernel/rights-watch.ts';
import type { Settings } from './kernel/settings.ts';
import { createFolderTexter } from './kernel/text-messages.ts';
import { openDatabase } from './open-database.ts';
import type { StopPlan } from './plan-stop.ts';
import { MIGRATION_FOLDERS, PROJECT_FOLDER, WEB_FOLDER } from './project-folders.ts';
import { openBlobStore } from './services/storage/blobs/open-blob-store.ts';

export type RunningServer = {
  /** Opens the operator's pages, where it takes a key. */
  readonly operatorKey: string | undefined;
  /** Why it serves nobody yet. */
  readonly rightsDifference: string | undefined;
  /** Not ready from now on, but serving; resolves when the time is up, or sooner where there is no database to serve with. */
  drain(milliseconds: number): Promise<void>;
  /** Finishes the requests under way, then shuts the database down. */
  stop(plan: Pick<StopPlan, 'finishMs' | 'releaseMs'>): Promise<void>;
};

const DRAIN_LOOK_MS = 250;
/** Nobody waits for a mail that a job sends, and one whose end is not known is not sent again: let slow mail servers be slow. */
const JOB_MAIL_SILENCE_MS = 60_000;

/**
 * Brings everything up: secrets, database, services, and last the port, so that whoever can connect can be served.
 * @throws what `describeFailure` explains; nothing is left running then.
 */
export async function startServer(
  settings: Settings,
  logger: Logger,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<RunningServer> {
  await finishRestoration(settings.dataFolder);
  const jwtSecrets =
    settings.jwtSecrets.length > 0 ? settings.jwtSecrets : loadSecrets(settings.dataFolder).jwtSecrets;
  // Loading the services takes as long as starting the database: do both at once.
  const loading = Promise.all([import('./app.ts'), import('./jobs/start-jobs.ts')]);
  loading.catch(() => undefined);
  const database = await openDatabase({ settings, jwtSecrets, logger });
  try {
    const [{ createApp, createMetrics }, { startJobs }] = await loading;
    const { db, reserved, probes } = database;
    const account = chooseServiceAccount(settings.dataFolder);
    if (settings.adminUserId !== undefined) await setAdministrator(db, settings.adminUserId);
    const mailFolder = join(settings.dataFolder, 'mail');
    const makeMailer = (silenceMs?: number) =>
      postponeMailer(async () => {
        const { createMailer } = await import('./kernel/mail.ts');
        const { smtpUrl, mailFrom: from } = settings;
        return createMailer({ smtpUrl, from, mailFolder, ...(silenceMs ? { silenceMs } : {}) });
      });
    const thirdParties = await openThirdParties(settings, logger);
    const keyring = await createKeyring({ ...settings, secrets: jwtSecrets, thirdParties });
    const operator = createOperatorAccess({ ...settings, key: keyring.operatorKey });
    const blobs = await openBlobStore(settings);
    const requiredMigrations = listRequiredMigrations();
    const rights = createRightsWatch({ db: reserved, known: requiredMigrations, logger });
    await rights.check();
    const { supervision } = database;
    const folders = listFolders(settings);
    const health = createHealth({
      probes,
      pools: [db, reserved],
      requiredMigrations,
      rightsDifference: rights.difference,
      folders: Object.values(folders),
      databaseDownFor: supervision?.downFor,
    });
    const metrics = createMetrics();
    const app = await createApp({
      settings,
      metrics,
      db,
      reserved,
      keyring,
      operator,
      mailer: makeMailer(),
      texter: createFolderTexter(mailFolder, logger),
      logger,
      now: () => new Date(),
      payments: resolvePayments(settings.stripe, jwtSecrets[0] ?? ''),
      blobs,
      replication: database.replication,
      environment,
      account,
      health,
      rights,
      probes,
      installation: {
        folders,
        countDatabaseRestarts: supervision?.restarts,
        backupEveryMs: settings.backup.everyMs,
        version: readVersion(),
      },
      webFolder: WEB_FOLDER,
      mailFolder,
    });
    try {
      await app.listen({ port: settings.port, host: settings.host });
      giveUpRoot(account, settings, logger);
    } catch (error) {
      await app.close();
      throw error;
    }
    const stopJobs = startJobs({
      server: app.server,
      settings,
      jwtSecrets,
      serviceRoleKey: keyring.serviceRoleKey,
      db,
      owner: database.owner,
      replication: database.replication,
      blobs,
      mailer: makeMailer(JOB_MAIL_SILENCE_MS),
      rights,
      metrics,
      logger,
      now: () => new Date(),
    });
    const finish = async ({ finishMs, releaseMs }: Pick<StopPlan, 'finishMs' | 'releaseMs'>) => {
      const cutOff = setTimeout(() => app.server.closeAllConnections(), finishMs);
      // What hangs on a database that does not answer is left behind.
      const patience = wait(finishMs + releaseMs, undefined, { ref: false });
      await Promise.race([Promise.all([stopJobs(), app.close()]), patience]);
      clearTimeout(cutOff);
    };
    return {
      operatorKey: operator.requiredKey,
      rightsDifference: rights.difference(),
      drain: (milliseconds) => drain(health, milliseconds),
      stop: (plan) => finish(plan).finally(database.close),
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Most installations have none, and load nothing of it. */
async function openThirdParties({ thirdParties: issuers }: Settings, logger: Logger) {
  if (issuers.length === 0) return undefined;
  const { createThirdPartyIssuers } = await import('./kernel/third-party/third-party-issuers.ts');
  return createThirdPartyIssuers({ issuers, now: () => new Date(), logger });
}

async function drain(health: Health, drainMs: number): Promise<void> {
  health.drain();
  const deadline = performance.now() + drainMs;
  for (let left = drainMs; left > 0; left = deadline - performance.now()) {
    await wait(Math.min(left, DRAIN_LOOK_MS));
    if ((await health.whole()).status !== 'ok') return;
  }
}

function readVersion(): string {
  const text = readFileSync(join(PROJECT_FOLDER, 'package.json'), 'utf8');
  return (JSON.parse(text) as { readonly version: string }).version;
}

/** What is written to while the server runs. Each may be a disk of its own. */
function listFolders({ dataFolder, databaseUrl }: Settings): Readonly<Record<string, string>> {
  const database = { database: join(dataFolder, 'postgres', 'cluster') };
  return {
    data: dataFolder,
    // Uploads wait there also where object storage keeps the files.
    files: join(dataFolder, 'storage'),
    ...(databaseUrl === undefined ? database : {}),
  };
}

function listRequiredMigrations() {
  const { platformFolder, migrationsFolder } = MIGRATION_FOLDERS;
  return {
    platform: listMigrations(platformFolder).map(({ fileName }) => fileName),
    product: listMigrations(migrationsFolder).map(({ version }) => version),
  };
}
