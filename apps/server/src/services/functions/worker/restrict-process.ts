import { createRequire, syncBuiltinESMExports } from 'node:module';

/** What reaches other processes by their number. Permissions of the runtime cover files, children and add-ons, not these. */
const DOORS = [
  'kill',
  '_kill',
  '_debugProcess',
  '_debugEnd',
  'abort',
  'chdir',
  'send',
  'disconnect',
] as const;

/**
 * Leaves a function nothing of the process it runs in but its own environment. It guards against slips, not against an
 * operator who deploys hostile code: whoever deploys has the service key anyway.
 */
export function restrictProcess(environment: Readonly<Record<string, string>>): void {
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, environment);
  const own: object = createRequire(import.meta.url)('node:process');
  for (const name of DOORS) Object.defineProperty(own, name, { value: refuse(name) });
  process.removeAllListeners('warning');
  syncBuiltinESMExports();
}

function refuse(name: string): () => never {
  return () => {
    throw new Error(`process.${name} is not available to functions`);
  };
}
