import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { listMigrations } from '@linkoteca/migrations/list-migrations';
import type { Logger } from 'pino';
import { finishRestoration } from './backups/finish-restoration.ts';
import { scheduleBackups } from './backups/schedule-backups.ts';
import { setAdministrator } from './commands/set-administrator.ts';
import { chooseServiceAccount, giveUpRoot } from './give-up-root.ts';
import { createAccountJobs } from './jobs/account-jobs.ts';
import { scheduleBaseBackups } from './jobs/base-backups.ts';
import { createShareMailJob } from './jobs/mail-job.ts';
import { callReconciliation, scheduleReconciliation } from './jobs/reconciliation.ts';
import { scheduleDeletionPurge, scheduleOrphanSweep } from './jobs/sweeps.ts';
import { watchRequests } from './jobs/watch-requests.ts';
import { createOperatorAccess } from './kernel/gateway/operator-access.ts';
import { createHealth, type Health } from './kernel/health/create-health.ts';
import { createKeyring } from './kernel/keyring.ts';
import { loadSecrets } from './kernel/load-secrets.ts';
import { postponeMailer } from './kernel/mail.ts';
import { resolvePayments } from './kernel/resolve-payments.ts';
import type { Settings } from './kernel/settings.ts';
import { createRightsWatch } from './kernel/watch-rights.ts';
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

const SWEEP_MS = 50;
const DRAIN_LOOK_MS = 250;
/** Nobody waits for an invitation's mail, and one whose end is not known is not sent again: let slow mail servers be slow. */
const SHARE_MAIL_SILENCE_MS = 60_000;

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
  const loading = import('./app.ts');
  loading.catch(() => undefined);
  const database = await openDatabase({ settings, jwtSecrets, logger });
  try {
    const { createApp } = await loading;
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
    const keyring = await createKeyring({ secrets: jwtSecrets });
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
    const app = await createApp({
      settings,
      db,
      reserved,
      keyring,
      operator,
      mailer: makeMailer(),
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
      installation: { folders, countDatabaseRestarts: supervision?.restarts, version: readVersion() },
      webFolder: WEB_FOLDER,
      mailFolder,
    });
    const shareMails = createShareMailJob({
      db,
      mailer: makeMailer(SHARE_MAIL_SILENCE_MS),
      siteUrl: settings.siteUrl,
      logger,
    });
    watchInvitations(app.server, shareMails.wake);
    const accountJobs = createAccountJobs({
      server: app.server,
      db,
      mailer: makeMailer(SHARE_MAIL_SILENCE_MS),
      serviceRoleKey: keyring.serviceRoleKey,
      siteUrl: settings.siteUrl,
      logger,
      now: () => new Date(),
    });
    try {
      await app.listen({ port: settings.port, host: settings.host });
      giveUpRoot(account, settings, logger);
    } catch (error) {
      await app.close();
      throw error;
    }
    const stopRights = rights.start();
    const stopPurge = scheduleDeletionPurge(db, logger);
    const stopReconciliation = scheduleReconciliation({
      db,
      logger,
      reconcile: (before) => callReconciliation(app.server, keyring.serviceRoleKey, before),
      now: () => new Date(),
    });
    const stopSweep = scheduleOrphanSweep({ db, blobs, now: () => new Date(), logger });
    const stopBackups = scheduleBackups({
      settings,
      jwtSecrets,
      db,
      connect: database.owner,
      now: () => new Date(),
      logger,
    });
    const { walArchive } = settings;
    const stopBaseBackups =
      walArchive === undefined
        ? () => undefined
        : scheduleBaseBackups({
            archive: walArchive,
            days: walArchive.days,
            postgresFolder: join(settings.dataFolder, 'postgres'),
            connection: database.replication,
            now: () => new Date(),
            logger,
          });
    shareMails.start();
    accountJobs.start();
    const finish = async ({ finishMs, releaseMs }: Pick<StopPlan, 'finishMs' | 'releaseMs'>) => {
      stopRights();
      stopPurge();
      stopReconciliation();
      stopSweep();
      stopBackups();
      stopBaseBackups();
      const cutOff = setTimeout(() => app.server.closeAllConnections(), finishMs);
      // Closing ends the connections that are idle at that moment; those that become idle later are ended here.
      const sweep = setInterval(() => app.server.closeIdleConnections(), SWEEP_MS);
      // What hangs on a database that does not answer is left behind.
      const patience = wait(finishMs + releaseMs, undefined, { ref: false });
      await Promise.race([Promise.all([app.close(), shareMails.stop(), accountJobs.stop()]), patience]);
      clearTimeout(cutOff);
      clearInterval(sweep);
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

/** What invites people, or asks for the mails to those who were. */
const INVITING =
  /^\/(?:functions\/v1\/share-notification|rest\/v1\/rpc\/(?:save_sharing|queue_share_notifications))(?:\?|$)/;

/** Tells of each request that was answered well and may have put mails into the queue. */
function watchInvitations(server: Server, onInvitation: () => void): void {
  watchRequests(server, INVITING, onInvitation);
}
