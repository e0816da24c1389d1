import { startEmbeddedPostgres } from '../start-embedded-postgres.ts';

/** A server reduced to its database: prints where it listens, and stops it cleanly when asked to. */
const [, , dataFolder = ''] = process.argv;
try {
  const postgres = await startEmbeddedPostgres({ dataFolder });
  process.on('SIGTERM', () => {
    postgres.stop().then(() => process.exit(0));
  });
  process.stdout.write(
    `${JSON.stringify({ socketFolder: postgres.socketFolder, processId: postgres.processId() })}\n`,
  );
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exit(1);
}
