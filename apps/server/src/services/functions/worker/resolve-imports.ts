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
/** `https://esm.sh/@scope/name@version/path?options`: the same packages by another name. */
const ESM = /^https:\/\/esm\.sh\/((?:@[^/@?]+\/)?[^/@?]+(?:@[^/?]+)?(?:\/[^?]*)?)(?:\?.*)?$/;
/** `jsr:@scope/name@version/path`; some write `jsr:/@scope`. */
const JSR = /^jsr:\/?@([^/@]+)\/([^/@]+)(.*)$/;
/** What the platform's older examples begin with. Nobody waits for the end of a server that goes on until the worker ends. */
const STD_SERVER = /^https:\/\/deno\.land\/std(?:@[^/]+)?\/http\/server\.ts$/;
const SERVE = `data:text/javascript,${encodeURIComponent(
  'export const serve = async (handler, options = {}) => void Deno.serve(options, handler);',
)}`;
const PATH_START = /^(?:\.{0,2}\/|[a-z][a-z0-9+.-]*:)/i;

/**
 * Lets functions import as on the hosted platform: by the names of their import map and by `npm:` specifiers, from the
 * packages that are installed here, in the version that is asked for. So are packages of esm.sh, and those of JSR that npm has as well.
 * Types come and go without a trace.
 * @throws Error (from the import) for other `jsr:` and `https:` modules, since this server never downloads any.
 */
export function resolveImports({ imports, packagesFolder }: ImportRules): void {
  const packages = pathToFileURL(join(packagesFolder, 'package.json')).href;
  registerHooks({
    resolve(specifier, context, next: NextResolve) {
      const parent = context.parentURL ?? '';
      const isFunctions = !parent.includes('/node_modules/') && !parent.startsWith('node:');
      const target = isFunctions ? followMap(specifier, imports) : specifier;
      if (isFunctions && isTypesOnly(target)) return { url: NOTHING, format: 'module', shortCircuit: true };
      if (isFunctions && STD_SERVER.test(target)) return { url: SERVE, format: 'module', shortCircuit: true };
      const npm = NPM.exec(target);
      if (npm) return resolvePackage(npm, packages, next);
      if (/^(?:jsr|https?):/.test(target)) return resolveElsewhere(target, packages, next);
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

/** A module of another registry, where the package it is made of is installed here. */
function resolveElsewhere(target: string, packages: string, next: NextResolve): ResolveFnOutput {
  for (const name of listOtherNames(target)) {
    const npm = NPM.exec(name);
    try {
      if (npm) return resolvePackage(npm, packages, next);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    }
  }
  throw new Error(
    `${target} cannot be imported here: nothing is downloaded, and no package of that name is installed. Name one as npm:NAME@VERSION`,
  );
}

/** As npm knows it: JSR's packages by the names that JSR itself gives them there, and the platform's by their own. */
function listOtherNames(target: string): readonly string[] {
  const [, esm] = ESM.exec(target) ?? [];
  if (esm !== undefined) return [`npm:${esm}`];
  const [, scope, name, rest] = JSR.exec(target) ?? [];
  if (scope === undefined) return [];
  const own = scope === 'supabase' ? [`npm:@supabase/${name}${rest}`] : [];
  return [`npm:@jsr/${scope}__${name}${rest}`, ...own];
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
