import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyBaseLogger } from 'fastify';
import { Counter, Gauge, type Registry } from 'prom-client';
import { openCatalogue } from './catalogue/open-catalogue.ts';
import type { FunctionAnswer, FunctionCall, FunctionDefinition } from './function-definition.ts';
import { FunctionsError } from './functions-error.ts';
import { createFunctionsRuntime } from './runtime/create-functions-runtime.ts';
import { createLauncher, type LauncherOptions } from './runtime/create-launcher.ts';
import { openLauncherProcess } from './runtime/open-launcher-process.ts';
import { openSocketFolder } from './runtime/open-socket-folder.ts';
import { DEFAULT_WORKER_LIMITS, type WorkerLimits } from './runtime/worker-process.ts';
import type { WorkerLogMessage } from './worker/worker-messages.ts';

/** What functions know of the installation, by the hosted platform's names. */
export type PlatformEnvironment = {
  readonly SUPABASE_URL: string;
  readonly SUPABASE_ANON_KEY: string;
  readonly SUPABASE_SERVICE_ROLE_KEY: string;
  /** Keys by their names, as JSON. */
  readonly SUPABASE_PUBLISHABLE_KEYS: string;
  readonly SUPABASE_SECRET_KEYS: string;
  readonly SUPABASE_DB_URL: string;
};

export type FunctionsDeps = {
  /** `supabase/config.toml`. */
  readonly configPath: string;
  /** Where the functions are, a folder each. */
  readonly folder: string;
  /** Folders of other code that functions import. */
  readonly shared: readonly string[];
  /** The folder in whose `node_modules` packages are looked up. */
  readonly packagesFolder: string;
  /** Where the compiled code of functions is kept. */
  readonly cacheFolder: string;
  /**
   * The server's settings by the names of their variables; functions see those that `config.toml` lists. Asked for when a
   * worker starts, and at each line that it logs.
   */
  readonly environment: () => Readonly<Record<string, string | undefined>>;
  /** Asked for when a worker starts: the server's address is known only then. */
  readonly platform: () => PlatformEnvironment;
  /** Whether to look for changes of the code at each call. */
  readonly reload: boolean;
  /** What the server goes on as when root has started it. */
  readonly serverAccount?: LauncherOptions['serverAccount'];
  readonly logger: FunctionsLogger;
  readonly metrics: Registry;
  readonly limits?: Partial<WorkerLimits>;
  /** For tests: modules that are loaded before a function, instead of those of this server. */
  readonly preload?: readonly string[];
};

export type FunctionsHost = {
  find(name: string): FunctionDefinition | undefined;
  /** @throws FunctionsError */
  call(definition: FunctionDefinition, call: FunctionCall): Promise<FunctionAnswer>;
  /** Bytes of a request's body. */
  readonly bodyLimit: number;
  close(): Promise<void>;
};

/** What our server gives to functions beyond the hosted platform's runtime. */
const PRELOAD = [fileURLToPath(new URL('outbound/provide-public-fetch.ts', import.meta.url))];

/**
 * The functions of the project, ready to be called; no process runs before the first call.
 * @throws FunctionsConfigError
 */
export function openFunctions(deps: FunctionsDeps): FunctionsHost {
  const { logger, folder, shared, packagesFolder, cacheFolder, platform, preload = PRELOAD } = deps;
  const limits = { ...DEFAULT_WORKER_LIMITS, ...deps.limits };
  const catalogue = openCatalogue({ ...deps, onChange: reload });
  const secrets = () => {
    const { SUPABASE_SERVICE_ROLE_KEY, SUPABASE_DB_URL } = platform();
    return [SUPABASE_SERVICE_ROLE_KEY, SUPABASE_DB_URL, ...Object.values(catalogue.secrets())];
  };
  const socketFolder = openSocketFolder();
  const launcherOptions = {
    socketFolder: socketFolder.path,
    cacheFolder,
    readable: [folder, ...shared, ...preload.map((path) => dirname(path)), `${packagesFolder}/node_modules`],
    memoryMiB: limits.memoryMiB,
    serverAccount: deps.serverAccount,
  };
  const isRoot = process.getuid?.() === 0;
  const endServer = () => {
    logger.error('the process that starts functions has ended: the server ends, to be started again');
    process.exit(1);
  };
  const runtime = createFunctionsRuntime({
    launcher: isRoot ? openLauncherProcess(launcherOptions, endServer) : createLauncher(launcherOptions),
    socketFolder: socketFolder.path,
    environment: (definition) => pickEnvironment(definition, { ...catalogue.secrets(), ...platform() }),
    packagesFolder,
    preload,
    limits,
    log: createOutputLog(logger, secrets),
    onEnd(name, end) {
      measures.ended(name, end);
      if (end !== 'retired') logger.error({ function: name, reason: end }, 'function worker ended');
    },
  });
  const measures = measureFunctions(deps.metrics, runtime.countWorkers);

  function reload(fault?: unknown): void {
    if (fault === undefined) runtime.replaceWorkers();
    else logger.error({ err: fault }, 'the functions could not be read again');
  }

  const call = async (...[definition, request]: Parameters<FunctionsHost['call']>) => {
    try {
      const answer = await runtime.call(definition, request);
      measures.called(definition.name, answer.status < 500 ? 'answered' : 'failed');
      return answer;
    } catch (error) {
      measures.called(definition.name, error instanceof FunctionsError ? error.fault : 'failed');
      throw error;
    }
  };
  return { find: catalogue.find, call, bodyLimit: limits.bodyBytes, close: runtime.close };
}

/** What is public, and of the rest what the function asks for: whoever takes a function over has its secrets, not all of them. */
function pickEnvironment(
  { secrets }: FunctionDefinition,
  all: Readonly<Record<string, string>>,
): Record<string, string> {
  const names = ['SUPABASE_URL', 'SUPABASE_ANON_KEY', 'SUPABASE_PUBLISHABLE_KEYS', ...secrets];
  return Object.fromEntries(names.flatMap((name) => (all[name] === undefined ? [] : [[name, all[name]]])));
}

type FunctionsLogger = Pick<FastifyBaseLogger, 'debug' | 'info' | 'warn' | 'error'>;

/** A shorter value is no secret, and would blot out common words. */
const MIN_SECRET_LENGTH = 8;
const TOKEN = /\beyJ[\w-]+\.[\w-]+\.[\w-]*|\bsb_secret_[\w-]+/g;
const CENSOR = '[redacted]';

/**
 * Writes what functions print as lines of the server's log, with function and request. Tokens, and the values of settings
 * that functions hold, are taken out wherever they stand.
 * @param secrets asked for at each line: settings are read again in development.
 */
function createOutputLog(logger: FunctionsLogger, secrets: () => readonly string[]) {
  return (name: string, { level, message, details, failure, requestId }: WorkerLogMessage): void => {
    const clean = (text: string) => redact(text, secrets());
    logger[level](
      {
        function: name,
        ...(requestId ? { reqId: requestId } : {}),
        ...(details ? { details: JSON.parse(clean(JSON.stringify(details))) } : {}),
        ...(failure ? { failure: JSON.parse(clean(JSON.stringify(failure))) } : {}),
      },
      clean(message),
    );
  };
}

function redact(text: string, secrets: readonly string[]): string {
  let clean = text.replace(TOKEN, CENSOR);
  for (const secret of secrets) {
    if (secret.length < MIN_SECRET_LENGTH) continue;
    // In JSON a secret may be written with escapes.
    for (const form of new Set([secret, JSON.stringify(secret).slice(1, -1)]))
      clean = clean.replaceAll(form, CENSOR);
  }
  return clean;
}

type FunctionMeasures = {
  /** @param outcome `answered`, `failed` (the function's own 5xx), or the service's fault. */
  called(name: string, outcome: string): void;
  ended(name: string, reason: string): void;
};

/** Counts calls, and how workers end; how many run is counted when somebody looks. */
function measureFunctions(
  registry: Registry,
  countWorkers: () => ReadonlyMap<string, number>,
): FunctionMeasures {
  const registers = [registry];
  const calls = new Counter({
    name: 'linkoteca_function_calls_total',
    help: 'Calls of functions, by what became of them.',
    labelNames: ['function', 'outcome'] as const,
    registers,
  });
  const ends = new Counter({
    name: 'linkoteca_function_worker_ends_total',
    help: 'Processes of functions that have ended, by reason.',
    labelNames: ['function', 'reason'] as const,
    registers,
  });
  new Gauge({
    name: 'linkoteca_function_workers',
    help: 'Processes of functions that run.',
    labelNames: ['function'] as const,
    registers,
    collect() {
      for (const [name, running] of countWorkers()) this.set({ function: name }, running);
    },
  });
  return {
    called: (name, outcome) => calls.inc({ function: name, outcome }),
    ended: (name, reason) => ends.inc({ function: name, reason }),
  };
}
