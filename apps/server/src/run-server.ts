import type { Logger } from 'pino';
import { describeFailure } from './describe-failure.ts';
import { createLogger } from './kernel/create-logger.ts';
import type { Settings } from './kernel/settings.ts';
import { planStop, type StopPlan } from './plan-stop.ts';
import { readSettings } from './read-settings.ts';
import { type RunningServer, startServer } from './start-server.ts';

/**
 * How long a start that is interrupted may take to become ready and stop in order. Past that the process ends as it is: Postgres
 * shuts down when we are gone, and a migration that was under way leaves nothing.
 */
const START_PATIENCE_MS = 10_000;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The server as a program: takes the environment, says one line when it is ready or cannot be, ends on signals.
 */
export async function runServer(environment: Environment): Promise<void> {
  let settings: Settings | undefined;
  try {
    settings = readSettings(environment);
    const logger = createLogger(settings.logLevel);
    if (settings.unknownAuthKeys.length > 0)
      logger.warn(`keys of [auth] in config.toml that nobody knows: ${settings.unknownAuthKeys.join(', ')}`);
    const server = startServer(settings, logger, environment);
    stopOnSignals(server, settings.drainSeconds, logger);
    const { operatorKey, rightsDifference } = await server;
    // The launcher starts again whoever has said this and ends without having been asked to.
    if (process.connected) process.send?.('ready', () => undefined);
    if (rightsDifference === undefined) process.stdout.write(`Linkoteca pronta em ${settings.siteUrl}\n`);
    else process.stderr.write(`${describeRights(rightsDifference)}\n`);
    if (operatorKey !== undefined) process.stdout.write(`Chave do operador: ${operatorKey}\n`);
  } catch (error) {
    process.stderr.write(`${describeFailure(error, settings)}\n`);
    if (settings?.logLevel === 'debug' || settings?.logLevel === 'trace')
      process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    process.exit(1);
  }
}

function describeRights(difference: string): string {
  const what = difference.replace(/^extra:/, 'a mais:').replace(/^missing:/, 'falta:');
  return (
    `Os direitos no banco de dados não são os que as migrações fazem (${what}): a Linkoteca responde 503 a todos ` +
    'até que sejam. O que fazer está em docs/operations.md.'
  );
}

/**
 * SIGTERM, which comes from what runs the server, drains first; a person who stops it waits for nobody. A signal during the start waits a
 * while for it to finish. The end comes in time whatever hangs.
 */
function stopOnSignals(starting: Promise<RunningServer>, drainSeconds: number, logger: Logger): void {
  let isStopping = false;
  let isServing = false;
  starting.then(
    () => {
      isServing = true;
    },
    () => undefined,
  );
  let backstop: NodeJS.Timeout | undefined;
  const endWithin = (milliseconds: number) => {
    clearTimeout(backstop);
    backstop = setTimeout(() => {
      if (isServing) logger.error('the server did not stop in time, and ends at once');
      else process.stderr.write('O servidor foi encerrado antes de terminar de iniciar.\n');
      process.exit(1);
    }, milliseconds).unref();
  };
  const drainAndStop = async (plan: StopPlan) => {
    const askedAt = performance.now();
    endWithin(isServing ? plan.drainMs + plan.stopMs : START_PATIENCE_MS);
    const server = await starting;
    const waitedMs = performance.now() - askedAt;
    await server.drain(plan.drainMs);
    endWithin(plan.stopMs - waitedMs);
    await server.stop(plan);
  };
  const stop = (signal?: NodeJS.Signals) => {
    // Whoever insists gets it at once; Postgres notices our death and ends by itself.
    if (isStopping) process.exit(1);
    isStopping = true;
    drainAndStop(planStop(signal === 'SIGTERM' && isServing ? drainSeconds : 0)).then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
  // The launcher holds the other end of this channel: without it nobody would pass signals on.
  process.on('disconnect', () => {
    if (!isStopping) stop();
  });
  // It was let go of before anybody listened, and nobody tells of that any more.
  if (process.connected === false) stop();
}
