import type { Server } from 'node:http';
import { join } from 'node:path';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { declareBackup } from '../backups/schedule-backups.ts';
import type { Database } from '../kernel/database.ts';
import type { Mailer } from '../kernel/mail.ts';
import type { RightsWatch } from '../kernel/rights-watch.ts';
import type { Settings } from '../kernel/settings.ts';
import type { BlobStore } from '../services/storage/blobs/blob-store.ts';
import { declareAccessRequestMails } from './access-request-mails.ts';
import { declareAccountMails } from './account-mails.ts';
import { type AccountUpkeepReport, declareAccountUpkeep } from './account-upkeep.ts';
import { declareBaseBackup } from './base-backups.ts';
import { callOwnFunction } from './call-own-function.ts';
import { createJob, type Job, type JobDeclaration } from './create-job.ts';
import { declareDailyMails } from './daily-mails.ts';
import { declareLinkChecks, type LinkChecksReport } from './link-checks.ts';
import { listenForWork } from './listen-for-work.ts';
import { declareShareMails } from './mail-job.ts';
import { declareReconciliation, type ReconciliationReport } from './reconciliation.ts';
import { registerJobMetrics } from './register-job-metrics.ts';
import {
  declareDeletionPurge,
  declareFileSweep,
  declareHistoryPurge,
  declareIdempotencyKeyPurge,
  declareSearchZoneRefresh,
  declareShortIdPurge,
  declareUploadSweep,
} from './sweeps.ts';
import { createMessagePost } from './webhooks/post-message.ts';
import { declareWebhookPurge, declareWebhooks } from './webhooks/webhook-job.ts';

export type JobsDeps = {
  /** It listens by now. */
  readonly server: Pick<Server, 'address'>;
  readonly settings: Settings;
  readonly jwtSecrets: readonly string[];
  readonly serviceRoleKey: string;
  readonly db: Database;
  /** As the account that owns the tables. */
  readonly owner: pg.ClientConfig;
  /** As an account that may replicate. */
  readonly replication: pg.ClientConfig;
  readonly blobs: BlobStore;
  /** For mails that nobody waits for. */
  readonly mailer: Mailer;
  readonly rights: RightsWatch;
  readonly metrics: Registry;
  readonly logger: Logger;
  readonly now: () => Date;
};

/** Starts everything that the server does by itself. @returns stops it, and waits a moment for what is under way. */
export function startJobs(deps: JobsDeps): () => Promise<void> {
  const metrics = registerJobMetrics(deps.metrics);
  const start = (declaration: JobDeclaration) => {
    const job = createJob(declaration, { metrics });
    job.start();
    return job;
  };
  const mails = declareMailJobs(deps).map(start);
  const webhooks = deps.settings.webhooks
    ? [start(declareWebhooks({ ...deps, post: createMessagePost() }))]
    : [];
  const others = declareOtherJobs(deps).map(start);
  const wake = (jobs: readonly Job[]) => () => {
    for (const job of jobs) job.wake();
  };
  const stopListening = listenForWork(deps.db, deps.logger, {
    linkoteca_mails: wake(mails),
    linkoteca_webhooks: wake(webhooks),
  });
  return async () => {
    await Promise.all([stopListening(), ...[...mails, ...webhooks, ...others].map((job) => job.stop())]);
  };
}

function declareMailJobs({ db, mailer, settings, logger }: JobsDeps): readonly JobDeclaration[] {
  const { siteUrl } = settings;
  return [
    declareShareMails({ db, mailer, siteUrl, logger }),
    declareAccessRequestMails({ db, mailer, siteUrl, logger }),
    declareAccountMails({ db, mailer, siteUrl, logger }),
    declareDailyMails({ db, mailer, siteUrl, logger }),
  ];
}

function declareOtherJobs(deps: JobsDeps): readonly JobDeclaration[] {
  const { settings, db, rights, logger, now } = deps;
  const { walArchive } = settings;
  return [
    {
      name: 'rights_check',
      firstAfterMs: rights.againInMs(),
      everyMs: rights.againInMs,
      patienceMs: 0,
      run: rights.check,
      onFailure: (err) => logger.warn({ err }, 'the rights in the database could not be compared'),
    },
    declareDeletionPurge(db, logger),
    declareIdempotencyKeyPurge(db, logger),
    declareShortIdPurge(db, logger),
    declareHistoryPurge(db, logger),
    declareSearchZoneRefresh(db, logger),
    declareWebhookPurge(db, logger),
    declareFileSweep(deps),
    declareUploadSweep(deps),
    declareReconciliation({
      db,
      logger,
      now,
      hasProvider: settings.stripe !== undefined,
      // It knows the payment provider. It answers after a minute and a half, with what it is at then done.
      reconcile: (before) =>
        callOwnFunction<ReconciliationReport>(deps, 'reconcile-subscriptions', {
          body: { before: before.toISOString() },
          patienceMs: 180_000,
        }),
    }),
    declareAccountUpkeep({
      db,
      logger,
      now,
      // A part of a round takes a minute, and what it is at then a few seconds more.
      callUpkeep: () => callOwnFunction<AccountUpkeepReport>(deps, 'account-upkeep', { patienceMs: 120_000 }),
    }),
    ...(settings.linkChecks
      ? [
          declareLinkChecks({
            db,
            logger,
            // As long for the links it takes last as for those before.
            checkLinks: () => callOwnFunction<LinkChecksReport>(deps, 'check-links', { patienceMs: 150_000 }),
          }),
        ]
      : []),
    ...(settings.backup.everyMs === undefined ? [] : [declareBackup({ ...deps, connect: deps.owner })]),
    ...(walArchive === undefined
      ? []
      : [
          declareBaseBackup({
            archive: walArchive,
            days: walArchive.days,
            postgresFolder: join(settings.dataFolder, 'postgres'),
            connection: deps.replication,
            now,
            logger,
          }),
        ]),
  ];
}
