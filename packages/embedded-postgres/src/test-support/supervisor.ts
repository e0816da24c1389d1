import { spawn } from 'node:child_process';
import { type EmbeddedPostgresOptions, startEmbeddedPostgres } from '../start-embedded-postgres.ts';

/** A server reduced to its database: prints where it listens, and stops it cleanly when asked to. */
const [, , options = '{}'] = process.argv;
const { hasChild = false, ...wanted } = JSON.parse(options) as EmbeddedPostgresOptions & {
  readonly hasChild?: boolean;
};
try {
  const log = (level: string, message: string) => {
    if (level === 'warn') process.stderr.write(`${message}\n`);
  };
  const postgres = await startEmbeddedPostgres({ ...wanted, log });
  process.on('SIGTERM', () => {
    postgres.stop().then(() => process.exit(0));
  });
  // Outlives its parent, as the process of a function may for a moment.
  if (hasChild) spawn('sleep', ['30'], { detached: true, stdio: 'ignore' }).unref();
  process.stdout.write(
    `${JSON.stringify({ socketFolder: postgres.socketFolder, processId: postgres.processId() })}\n`,
  );
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exit(1);
}
