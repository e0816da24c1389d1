import { fileURLToPath } from 'node:url';

/** What every route needs and rarely changes: one file that stays in the browser's cache across releases. */
const foundation =
  /node_modules\/(react|react-dom|scheduler|use-sync-external-store|@supabase\/auth-js|@tanstack\/(history|store|react-store|router-core|react-router))\//;

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

type ModuleGraph = {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null;
};

/** @returns all that it imports statically, itself left out: a lazy route keeps a file of its own. */
function listImports(root: string, graph: ModuleGraph): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (id: string) => {
    for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) {
      if (found.has(imported) || !couldBeNamed.test(imported)) continue;
      found.add(imported);
      visit(imported);
    }
  };
  visit(fileURLToPath(new URL(root, import.meta.url)));
  return found;
}

/**
 * Names four files of many small modules, for seventy small files are seventy requests and compress badly: `basics`, which
 * visitors and the organiser share, `visitor` and `organiser`, which only one of them needs, and `category`. By the imports,
 * not by paths: a module that moves stays in its file.
 */
function nameSharedPart(): (id: string, graph: ModuleGraph) => string | null {
  let parts: { readonly [name: string]: ReadonlySet<string> } | undefined;
  return (id, graph) => {
    if (!couldBeNamed.test(id)) return null;
    parts ??= findParts(graph);
    return Object.entries(parts).find(([, ids]) => ids.has(id))?.[0] ?? null;
  };
}

function findParts(graph: ModuleGraph) {
  const imports = (root: keyof typeof ROOTS) => listImports(ROOTS[root], graph);
  const login = imports('login');
  const category = imports('category');
  const organiser = imports('shell').union(imports('dashboard').intersection(category));
  return {
    basics: imports('entry').union(login.intersection(organiser.union(category))),
    visitor: login,
    organiser,
    category,
  };
}

/** Which modules share a file of the build, beyond what the bundler finds by itself. */
export const bundleGroups = [
  { name: 'foundation', test: foundation },
  { name: nameSharedPart(), includeDependenciesRecursively: false },
];
