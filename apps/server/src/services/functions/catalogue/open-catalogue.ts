import { globSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { FunctionDefinition } from '../function-definition.ts';
import { listFunctions } from './list-functions.ts';
import { readFunctionsConfig } from './read-functions-config.ts';
import { readSecrets } from './read-secrets.ts';

export type CatalogueDeps = {
  /** `supabase/config.toml`. */
  readonly configPath: string;
  /** Where the functions are, a folder each. */
  readonly folder: string;
  /** Other code that functions import. */
  readonly shared: readonly string[];
  /** The server's settings by the names of their variables, asked for when a worker starts. */
  readonly environment: () => Readonly<Record<string, string | undefined>>;
  /** Whether to look for changes at each call. */
  readonly reload: boolean;
  /** Told after a change was read, or why it could not be. */
  readonly onChange: (fault?: unknown) => void;
};

export type Catalogue = {
  find(name: string): FunctionDefinition | undefined;
  /** The project's own settings for functions. */
  secrets(): Readonly<Record<string, string>>;
};

/**
 * Knows the functions of the project. Read once; in development again whenever a file has changed since the last call.
 * @throws FunctionsConfigError
 */
export function openCatalogue(deps: CatalogueDeps): Catalogue {
  let current = read(deps);
  let seen = deps.reload ? fingerprint(deps) : '';

  const refresh = () => {
    if (!deps.reload) return;
    const now = fingerprint(deps);
    if (now === seen) return;
    seen = now;
    try {
      current = read(deps);
      deps.onChange();
    } catch (fault) {
      deps.onChange(fault);
    }
  };
  return {
    find(name) {
      refresh();
      return current.functions.get(name);
    },
    secrets: () => readSecrets(current.config, deps.environment()),
  };
}

function read({ configPath, folder }: CatalogueDeps) {
  const config = readFunctionsConfig(configPath);
  return { config, functions: listFunctions(folder, configPath, config) };
}

/** A few hundred files at most, and only in development: cheaper than watching them, and never late. */
function fingerprint({ configPath, folder, shared }: CatalogueDeps): string {
  const code = [folder, ...shared].flatMap((root) =>
    globSync('**/*.{ts,js,json,toml}', { cwd: root, exclude: ['**/node_modules/**'] }).map((path) =>
      join(root, path),
    ),
  );
  return [configPath, ...code].map((path) => `${path} ${readTime(path)}`).join('\n');
}

function readTime(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
