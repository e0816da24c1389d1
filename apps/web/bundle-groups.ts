import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** What every route needs and rarely changes: one file that stays in the browser's cache across releases. */
const foundation =
  /node_modules\/(react|react-dom|scheduler|use-sync-external-store|@supabase\/auth-js|@tanstack\/(history|store|react-store|router-core|react-router))\//;

/** What opens, writes and keeps pictures. */
const pictures =
  /\/shared\/lib\/(pictures|supabase\/file-storage)|\/domain\/src\/picture-limits|\/account\/api\/(own|save)-picture/;

/**
 * Ours, and the libraries that have no parts to leave out: of others the bundler knows better which parts are really used. What the
 * app's root takes of them is named, or it would stay in the entry, which then is imported by what it imports.
 */
const couldBeNamed =
  /\/(apps\/web\/src|packages\/[^/]+\/src)\/|node_modules\/(@tanstack\/(query-core|react-query)|@base-ui\/react\/(?:.*\/)?csp-provider|lucide-react|valibot)\//;

/** Where the imports begin of what is there first: on every route, for visitors, around every screen of the organiser, on two of them. */
const ROOTS = {
  entry: 'src/app/main.tsx',
  login: 'src/features/auth/components/login-screen.tsx',
  shell: 'src/app/shell/guarded-shell.tsx',
  dashboard: 'src/app/organiser/dashboard-page.tsx',
  category: 'src/app/organiser/category-page.tsx',
};

/** What the shell and the category fetch when the first picture is drawn, before a press asks for it (useIdlePreload). */
const AHEAD = [
  'src/app/live/begin-live-updates.ts',
  'src/app/organiser/dialogs/organiser-dialog-host.tsx',
  'src/app/organiser/favorites/favorites-panel.tsx',
  'src/app/organiser/first-link.tsx',
  'src/app/organiser/moving/drop-tray.tsx',
  'src/app/organiser/ordering/order-acts.ts',
  'src/app/organiser/rename-row.tsx',
  'src/app/organiser/search/search-extras.tsx',
  'src/app/organiser/tags/tagging-host.tsx',
  'src/app/organiser/use-undoable-deletion.ts',
  'src/app/pages/search-route.tsx',
  'src/features/account/api/begin-subscription-check.ts',
  'src/features/account/api/tell-reopening.ts',
  'src/features/account/components/account-popover.tsx',
  'src/features/links/components/arrangement-bar.tsx',
  'src/features/links/components/form/link-dialog.tsx',
  'src/features/links/components/ordering/link-ordering.tsx',
  'src/features/search/components/search-results.tsx',
  'src/features/sharing/components/share-menu-popup.tsx',
  'src/features/shortcuts/components/shortcuts-sheet.tsx',
  'src/shared/lib/query-persistence/persist-queries.ts',
  'src/shared/lib/query-persistence/read-persisted-queries.ts',
  'src/shared/ui/dialogs/delete-confirmation.tsx',
  'src/shared/ui/menus/anchored-menu-popup.tsx',
];

type ModuleGraph = {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null;
};

const pathOf = (root: string) => fileURLToPath(new URL(root, import.meta.url));

/** @returns all that it imports statically, itself left out: a lazy route keeps a file of its own. */
function listImports(
  root: string,
  graph: ModuleGraph,
  isFollowed = (id: string) => couldBeNamed.test(id),
): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (id: string) => {
    for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) {
      if (found.has(imported) || !isFollowed(imported)) continue;
      found.add(imported);
      visit(imported);
    }
  };
  if (graph.getModuleInfo(pathOf(root)) === null)
    throw new Error(`${root} is in no file of the build: was it renamed?`);
  visit(pathOf(root));
  return found;
}

/**
 * Names the files of many small modules, for seventy small files are seventy requests and compress badly: `basics`, which visitors and
 * the organiser share, `visitor` and `organiser`, which only one of them needs, `category`, and what comes after the first picture:
 * `ahead`, and the `widgets` that it takes from libraries, which other screens take, too. By the imports, not by paths: a module that
 * moves stays in its file.
 */
function nameSharedPart(): (id: string, graph: ModuleGraph) => string | null {
  let parts: { readonly [name: string]: ReadonlySet<string> } | undefined;
  let icons: Parameters<typeof nameIconPart>[1] | undefined;
  return (id, graph) => {
    if (icon.test(id)) {
      icons ??= findIcons(graph);
      return nameIconPart(id, icons);
    }
    parts ??= findParts(graph);
    return Object.entries(parts).find(([, ids]) => ids.has(id))?.[0] ?? null;
  };
}

/** An icon's own module. All of them hang on the one that names them, whoever uses which. */
const icon = /\/lucide-react\/dist\/esm\/icons\/([^/]+)\.\w+$/;

/** Icons that these modules use, in letters and digits alone: 'share-2.mjs' has Share2. */
function listIcons(ids: Iterable<string>): ReadonlySet<string> {
  const names = [...ids]
    .filter((id) => id.endsWith('.tsx'))
    .flatMap(
      (id) =>
        readFileSync(id, 'utf8')
          .match(/(?<=^import \{)[^}]*(?=\} from 'lucide-react')/m)?.[0]
          .split(',') ?? [],
    )
    .map((name) =>
      name
        .trim()
        .replace(/ as .*$/s, '')
        .toLowerCase(),
    );
  return new Set(names);
}

/** Which part an icon belongs to: `icons`, which no first picture waits for, where none of them uses it. */
function nameIconPart(id: string, used: Readonly<Record<keyof typeof ROOTS, ReadonlySet<string>>>): string {
  const aliases = /aliases: \[([^\]]*)\]/.exec(readFileSync(id, 'utf8'))?.[1]?.match(/[a-z0-9-]+/g) ?? [];
  const names = [icon.exec(id)?.[1] ?? '', ...aliases].map((name) => name.replaceAll('-', ''));
  const isUsed = (root: keyof typeof ROOTS) => names.some((name) => used[root].has(name));
  const isOrganisers = isUsed('shell') || isUsed('dashboard');
  if (isUsed('entry')) return 'basics';
  if (isUsed('login')) return isOrganisers || isUsed('category') ? 'basics' : 'visitor';
  return isOrganisers ? 'organiser' : isUsed('category') ? 'category' : 'icons';
}

function findParts(graph: ModuleGraph) {
  const imports = (root: keyof typeof ROOTS) => listImports(ROOTS[root], graph);
  const login = imports('login');
  const category = imports('category');
  const organiser = imports('shell').union(imports('dashboard').intersection(category));
  const everything = (roots: readonly string[]) =>
    roots
      .map((root) => new Set([pathOf(root), ...listImports(root, graph, () => true)]))
      .reduce((all, one) => all.union(one));
  const ahead = everything(AHEAD).difference(everything(Object.values(ROOTS)));
  const isOurs = (id: string) => !id.includes('/node_modules/');
  return {
    basics: imports('entry').union(login.intersection(organiser.union(category))),
    visitor: login,
    organiser,
    category,
    ahead: new Set([...ahead].filter(isOurs)),
    widgets: new Set([...ahead].filter((id) => !isOurs(id))),
  };
}

function findIcons(graph: ModuleGraph) {
  const used = (root: keyof typeof ROOTS) =>
    listIcons(
      [pathOf(ROOTS[root]), ...listImports(ROOTS[root], graph)].filter(
        (id) => !id.includes('/node_modules/'),
      ),
    );
  return {
    entry: used('entry'),
    login: used('login'),
    shell: used('shell'),
    dashboard: used('dashboard'),
    category: used('category'),
  };
}

/** Which modules share a file of the build, beyond what the bundler finds by itself. */
export const bundleGroups = [
  { name: 'foundation', test: foundation },
  { name: nameSharedPart(), includeDependenciesRecursively: false },
  // Profile and covers share it; every file has its name in the entry.
  { name: 'pictures', test: pictures, includeDependenciesRecursively: false },
];
