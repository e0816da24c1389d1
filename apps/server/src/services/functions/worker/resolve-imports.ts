import { readFileSync } from 'node:fs';
import { createRequire, type ResolveFnOutput, type ResolveHookContext, registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

export type ImportRules = {
  readonly imports: Readonly<Record<string, string>>;
  readonly packagesFolder: string;
};

type NextResolve = (specifier: string, context?: Partial<ResolveHookContext>) => ResolveFnOutput;

/** `npm:@scope/name@version/path`, the last two optional; some write `npm:/name`. */
const NPM = /^npm:\/?((?:@[^/@]+\/)?[^/@]+)(?:@([^/]+))?(\/.*)?$/;
const NOTHING = 'data:text/javascript,export{}';
const PATH_START = /^(?:\.{0,2}\/|[a-z][a-z0-9+.-]*:)/i;

/**
 * Lets functions import as on the hosted platform: by the names of their import map and by `npm:` specifiers, from the
 * packages that are installed here, in the version that is asked for. Types come and go without a trace.
 * @throws Error (from the import) for `jsr:` and `https:` modules, which this server never downloads.
 */
export function resolveImports({ imports, packagesFolder }: ImportRules): void {
  const packages = pathToFileURL(join(packagesFolder, 'package.json')).href;
  registerHooks({
    resolve(specifier, context, next: NextResolve) {
      const parent = context.parentURL ?? '';
      const isFunctions = !parent.includes('/node_modules/') && !parent.startsWith('node:');
      const target = isFunctions ? followMap(specifier, imports) : specifier;
      if (isFunctions && isTypesOnly(target)) return { url: NOTHING, format: 'module', shortCircuit: true };
      const npm = NPM.exec(target);
      if (npm) return resolvePackage(npm, packages, next);
      if (/^(?:jsr|https?):/.test(target))
        throw new Error(`${target} cannot be imported here: name an installed package as npm:NAME@VERSION`);
      const resolved =
        isFunctions && !PATH_START.test(target) && !target.startsWith('#')
          ? next(target, { ...context, parentURL: packages })
          : next(target, context);
      // Whatever package.json lies above a function's folder, the platform reads modules.
      return /\.m?ts$/.test(resolved.url) ? { ...resolved, format: 'module-typescript' } : resolved;
    },
  });
}

/** The import-maps standard: the longest key that ends in a slash and starts the specifier, unless one matches whole. */
function followMap(specifier: string, imports: ImportRules['imports']): string {
  const whole = Object.hasOwn(imports, specifier) ? imports[specifier] : undefined;
  if (whole !== undefined) return whole;
  const prefix = Object.keys(imports)
    .filter((key) => key.endsWith('/') && specifier.startsWith(key))
    .sort((one, other) => other.length - one.length)[0];
  return prefix === undefined ? specifier : `${imports[prefix]}${specifier.slice(prefix.length)}`;
}

function isTypesOnly(target: string): boolean {
  return /^(?:jsr|https?|npm):.*\.d\.ts$/.test(target);
}

function resolvePackage(npm: RegExpExecArray, packages: string, next: NextResolve): ResolveFnOutput {
  const [, name = '', wanted, path = ''] = npm;
  const resolved = next(`${name}${path}`, {
    parentURL: packages,
    conditions: ['node', 'import'],
    importAttributes: {},
  });
  if (wanted !== undefined) requireVersion(name, wanted, packages);
  return resolved;
}

/** Loaded only where a version is named: each worker waits for what it loads. */
function requireVersion(name: string, wanted: string, packages: string): void {
  // From the packages' own folder: a package that stands closer to this file, in a folder that the worker may not read, ends the search.
  const require = createRequire(packages);
  const satisfies: typeof import('semver/functions/satisfies.js') = require('semver/functions/satisfies.js');
  const installed = readVersion(name, packages);
  if (installed !== undefined && !satisfies(installed, wanted))
    throw new Error(`npm:${name}@${wanted} is asked for, but ${installed} is installed`);
}

function readVersion(name: string, packages: string): string | undefined {
  const { version } = JSON.parse(
    readFileSync(new URL(`node_modules/${name}/package.json`, packages), 'utf8'),
  );
  return typeof version === 'string' ? version : undefined;
}
