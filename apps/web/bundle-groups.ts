import { fileURLToPath } from 'node:url';

/** What every route needs and rarely changes: one file that stays in the browser's cache across releases. */
const foundation =
  /node_modules\/(react|react-dom|scheduler|use-sync-external-store|@supabase\/auth-js|@tanstack\/(history|store|react-store|router-core|react-router))\//;

/**
 * Light pieces that most screens share: one request instead of thirty. A group brings all that it imports along, so
 * nothing here may import a heavy library (forms, query cache, table client, floating layers).
 */
const basics = [
  /src\/shared\/lib\/(?!captcha|create-query|use-draft-form|optimistic|own-writes|realtime|save-file|supabase\/(create-database|read-own))/,
  /src\/shared\/ui\/(button|icon-button|logo|spinner|full-screen-spinner|notice|avatar|badge|skeleton)/,
  /src\/shared\/ui\/(field|text-field|password-field|toast\.ts|lazy-toast|error-|floating-class-names)/,
  /packages\/domain\/src\/(limits|plans|plan-messages|account-messages|format-number|text-field|count-characters|email-schema|clean-text)/,
  /node_modules\/lucide-react\/dist\/esm\/(create|Icon|shared|default|context)/,
  /node_modules\/valibot\//,
];

/** Ours, and the query cache: of other libraries the bundler knows better which parts are really used. */
const couldBeShell =
  /\/(apps\/web\/src|packages\/[^/]+\/src)\/|node_modules\/@tanstack\/(query-core|react-query)\//;

const ROUTES = {
  visitor: ['src/app/main.tsx', 'src/features/auth/components/login-screen.tsx'],
  shell: ['src/app/shell/guarded-shell.tsx'],
};

type ModuleGraph = {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null;
};

function listImports(roots: readonly string[], graph: ModuleGraph): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (id: string) => {
    if (found.has(id) || !couldBeShell.test(id)) return;
    found.add(id);
    for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) visit(imported);
  };
  for (const root of roots) visit(fileURLToPath(new URL(root, import.meta.url)));
  return found;
}

/**
 * Names the part of the organiser that is on every screen and that visitors do without: one file, for seventy small ones are
 * seventy requests and compress badly.
 */
function nameShellPart(): (id: string, graph: ModuleGraph) => string | null {
  let parts: ReadonlySet<string> | undefined;
  return (id, graph) => {
    if (!couldBeShell.test(id)) return null;
    parts ??= listImports(ROUTES.shell, graph).difference(listImports(ROUTES.visitor, graph));
    return parts.has(id) && !ROUTES.shell.some((root) => id.endsWith(root)) ? 'organiser' : null;
  };
}

/** Which modules share a file of the build, beyond what the bundler finds by itself. */
export const bundleGroups = [
  { name: 'foundation', test: foundation },
  { name: 'basics', test: (id: string) => basics.some((pattern) => pattern.test(id)), minShareCount: 2 },
  { name: nameShellPart(), includeDependenciesRecursively: false },
];
