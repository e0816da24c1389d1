import type { Logger } from 'pino';
import { finishRestoration } from '../backups/finish-restoration.ts';
import { describeFailure } from '../describe-failure.ts';
import { createLogger } from '../kernel/create-logger.ts';
import type { Database } from '../kernel/database.ts';
import { loadServerSecrets } from '../kernel/load-secrets.ts';
import type { Settings } from '../kernel/settings.ts';
import { openDatabase } from '../open-database.ts';
import { readSettings } from '../read-settings.ts';

export type CommandContext = {
  readonly db: Database;
  readonly settings: Settings;
  readonly jwtSecrets: readonly string[];
  readonly logger: Logger;
};

/** What the person got wrong. `message` is one line in Portuguese. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/**
 * Runs a command on this installation's database: that of the server that is running, else one started for the command
 * alone. Sets the exit code; what `run` returns is printed.
 */
export async function runCommand(
  environment: Readonly<Record<string, string | undefined>>,
  run: (context: CommandContext) => Promise<string>,
): Promise<void> {
  let settings: Settings | undefined;
  try {
    settings = readSettings(environment);
    const logger = createLogger(settings.logLevel);
    await finishRestoration(settings.dataFolder);
    const jwtSecrets = loadServerSecrets(settings);
    const database = await openDatabase({ settings, jwtSecrets, logger, joinRunning: true });
    try {
      process.stdout.write(`${await run({ db: database.db, settings, jwtSecrets, logger })}\n`);
    } finally {
      await database.close();
    }
  } catch (error) {
    const message = error instanceof CommandError ? error.message : describeFailure(error, settings);
    process.stderr.write(`${message}\n`);
    process.exitCode = 1;
  }
}
