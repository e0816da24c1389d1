import type { FunctionsConfig } from './read-functions-config.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const REFERENCE = /^env\(([A-Za-z_][A-Za-z0-9_]*)\)$/;

/**
 * The project's own settings that functions see: those that `[edge_runtime.secrets]` lists, with the values of the server's
 * environment where they say `env(NAME)`. What is not set there stays unset for functions too.
 */
export function readSecrets(
  { edge_runtime }: FunctionsConfig,
  environment: Environment,
): Record<string, string> {
  const entries = Object.entries(edge_runtime.secrets).flatMap(([name, value]) => {
    const reference = REFERENCE.exec(value)?.[1];
    const found = reference === undefined ? value : environment[reference];
    return found === undefined || found === '' ? [] : [[name, found] as const];
  });
  return Object.fromEntries(entries);
}
