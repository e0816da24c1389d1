// `npm pack` and `npm publish` run it first: the program as it is installed, in `dist/`.
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { buildWeb } from './build-web.mjs';
import { ensureInstalled, rootFolder } from './ensure-installed.mjs';
import { listCommands } from './list-commands.mjs';
import { replaceFolder } from './replace-folder.mjs';

const FUNCTIONS = 'supabase/functions';
/** Where functions may read: they import some of it. */
const VENDOR = 'packages/vendor';
/** What the program reads besides its own code. */
const READ_AS_IT_IS = [
  'package.json',
  'apps/server/platform',
  'apps/web/dist',
  'supabase/migrations',
  'supabase/demo',
];

/**
 * Node strips no types below `node_modules`, where npm puts a package: each module of the program becomes JavaScript, at the path
 * it has in the project. Packages become part of it in the versions of the lock file, except for those that the root's
 * `package.json` names as dependencies, which npm installs beside it.
 */
async function buildPackage(place) {
  const manifest = JSON.parse(await readFile(join(rootFolder, 'package.json'), 'utf8'));
  const installed = Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies });
  const functions = await listFunctionEntries();
  const entries = ['apps/server/src/main.ts', ...listCommands(manifest).values(), ...functions];
  const next = `${place}.next-${process.pid}`;
  try {
    await compilePackages(await compileModules(entries, installed, next), next);
    for (const path of READ_AS_IT_IS)
      await cp(join(rootFolder, path), join(next, path), { recursive: true, filter: isNeeded });
    await copyFunctionSettings(functions, next);
    await replaceFolder(next, place);
  } finally {
    await rm(next, { recursive: true, force: true });
  }
}

/** Our own modules, each where it was; what they import of packages becomes a path to what `compilePackages` makes of it. */
async function compileModules(entries, installed, folder) {
  const { rolldown } = await import('rolldown');
  const { parseAst } = await import('rolldown/parseAst');
  const used = new Map();
  const build = await rolldown({
    cwd: rootFolder,
    platform: 'node',
    input: entries.map((path) => join(rootFolder, path)),
    plugins: [followAddresses, keepPackagesApart(installed, used)],
  });
  const { output } = await build.write({
    dir: folder,
    preserveModules: true,
    preserveModulesRoot: rootFolder,
  });
  await build.close();
  for (const { code, fileName } of output.filter(({ type }) => type === 'chunk'))
    for (const { source, names } of listImports(parseAst(code))) {
      const found = used.get(join(rootFolder, dirname(fileName), source));
      for (const name of names) found?.names.add(name);
    }
  return used;
}

/** Collects by path which package lies there, who asked for it, and later which of its names are imported. */
function keepPackagesApart(installed, used) {
  return {
    name: 'keep-packages-apart',
    resolveId(id, importer, { kind }) {
      if (importer === undefined || isBuiltin(id) || /^(?:\.{0,2}\/|@linkoteca\/)/.test(id)) return null;
      if (installed.some((name) => id === name || id.startsWith(`${name}/`))) return { id, external: true };
      const path = join(rootFolder, VENDOR, `${id.replace(/\.js$/, '')}.js`);
      if (!used.has(path)) used.set(path, { id, importer, names: new Set() });
      // What becomes of the whole of it is not seen from here.
      if (kind === 'dynamic-import') for (const name of ['*', 'default']) used.get(path).names.add(name);
      return { id: path, external: 'relative' };
    },
  };
}

/** @returns the addresses that a module imports, with the names; `*` for all of them. */
function listImports({ body }) {
  return body.flatMap((node) => {
    const names = (node.specifiers ?? []).map(
      ({ type, imported, local }) =>
        ({ ImportDefaultSpecifier: 'default', ImportNamespaceSpecifier: '*' })[type] ??
        (imported ?? local).name,
    );
    return node.source ? [{ source: node.source.value, names }] : [];
  });
}

/** The packages, of each what is imported, in as many files as it takes to load nothing that is not needed. */
async function compilePackages(used, folder) {
  const { rolldown } = await import('rolldown');
  const entries = new Map([...used].map(([path, found]) => [`${found.importer}?${path}.mjs`, found]));
  const build = await rolldown({
    cwd: rootFolder,
    platform: 'node',
    input: Object.fromEntries(
      [...entries.keys()].map((entry) => [relative(rootFolder, entry.slice(entry.indexOf('?') + 1)), entry]),
    ),
    plugins: [
      {
        name: 'package-entries',
        resolveId: (id) => (entries.has(id) ? id : null),
        load(id) {
          const found = entries.get(id);
          return found && describeEntry(found);
        },
      },
    ],
  });
  await build.write({
    dir: folder,
    entryFileNames: ({ name }) => name.replace(/\.mjs$/, ''),
    chunkFileNames: `${VENDOR}/chunks/[name]-[hash].js`,
  });
  await build.close();
}

function describeEntry({ id, names }) {
  const from = `from ${JSON.stringify(id)};`;
  const named = [...names].filter((name) => name !== '*').join(', ');
  return `${names.has('*') ? `export * ${from}` : ''} export { ${named} } ${from}`;
}

/** What is found by its address, `new URL('NAME.EXTENSION', import.meta.url)`, comes along: programs compiled, other files as they are. */
const followAddresses = {
  name: 'follow-addresses',
  async transform(code, id) {
    const ADDRESS = /(new URL\(\s*')([^']+\.\w+)('\s*,\s*import\.meta\.url)/g;
    if (id.includes('/node_modules/')) return null;
    for (const [, , address] of code.matchAll(ADDRESS)) {
      const path = resolve(dirname(id), address);
      if (path.endsWith('.ts')) this.emitFile({ type: 'chunk', id: path });
      else {
        const source = await readFile(path);
        this.emitFile({ type: 'asset', fileName: relative(rootFolder, path), source });
      }
    }
    return code.replaceAll(
      ADDRESS,
      (_whole, start, address, end) => start + address.replace(/\.ts$/, '.js') + end,
    );
  },
};

async function listFunctionEntries() {
  const folders = await readdir(join(rootFolder, FUNCTIONS), { withFileTypes: true });
  return folders
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('_'))
    .map(({ name }) => `${FUNCTIONS}/${name}/index.ts`);
}

/** `config.toml`, the mails that it names, and the settings in the folder of each function. */
async function copyFunctionSettings(functions, folder) {
  const config = await readFile(join(rootFolder, 'supabase/config.toml'), 'utf8');
  const compiled = config.replaceAll(/^(entrypoint = ".*)\.ts"$/gm, '$1.js"');
  await writeFile(join(folder, 'supabase/config.toml'), compiled);
  await cp(join(rootFolder, 'supabase/templates'), join(folder, 'supabase/templates'), { recursive: true });
  const copies = functions.map(dirname).map(async (path) => {
    const names = await readdir(join(rootFolder, path));
    const settings = names.filter((name) => name === 'limits.toml' || name === 'deno.json');
    await Promise.all(settings.map((name) => cp(join(rootFolder, path, name), join(folder, path, name))));
  });
  await Promise.all(copies);
}

/** Of the web app's build all but what its tool keeps for itself. */
function isNeeded(path) {
  return !relative(rootFolder, path).startsWith('apps/web/dist/.vite');
}

const say = (line) => console.error(line);
try {
  await ensureInstalled({ say });
  await buildWeb({ say });
  await buildPackage(join(rootFolder, 'dist'));
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
