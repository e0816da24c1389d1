// The import rules of docs/architecture.md. scripts/checks/check-import-canary.mjs proves that each one bites.

const TEST_FILES = '\\.test\\.tsx?$|/test(-support)?/|/generate-[a-z-]+\\.ts$';

/** A rule for product files; tests beside the code and generators of code may reach further. */
const layer = (name, path, to) => ({ name, severity: 'error', from: { path, pathNot: TEST_FILES }, to });

/** A rule that binds tests as well. */
const wall = (name, from, to) => ({ name, severity: 'error', from, to });

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    wall('no-unresolvable', {}, { couldNotResolve: true }),
    wall('no-cycles', {}, { circular: true }),
    layer('not-to-dev-dep', '^(apps|packages)/[^/]+/src/', {
      dependencyTypes: ['npm-dev'],
      dependencyTypesNot: ['type-only', 'npm'],
    }),
    wall('no-undeclared-dependency', {}, { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] }),

    wall(
      'web-feature-isolation',
      { path: '^apps/web/src/features/([^/]+)/' },
      {
        path: '^apps/web/src/features/',
        pathNot: '^apps/web/src/features/$1/',
      },
    ),
    layer('web-app-is-top', '^apps/web/src/(features|shared)/', { path: '^apps/web/src/app/' }),
    layer('web-shared-is-bottom', '^apps/web/src/shared/', {
      path: '^apps/web/src/(features|views|drawn-pages)/',
    }),
    // Markup alone, for both shells: nothing of the browser, the router or the query cache can be reached from here.
    layer('web-views-are-pure', '^apps/web/src/views/', {
      pathNot:
        '^apps/web/src/views/|^packages/domain/|' +
        '^apps/web/src/shared/(ui/(button-class-name|logo)|lib/browser/join-class-names)\\.tsx?$|' +
        '(^|/)node_modules/(@types/)?react/',
    }),
    wall(
      'web-drawn-pages-stand-alone',
      { path: '^apps/web/src/drawn-pages/' },
      { path: '^apps/web/src/(app|features)/|(^|/)node_modules/@(tanstack|supabase)/' },
    ),
    wall(
      'web-drawn-pages-are-a-shell',
      { path: '^apps/web/src/(app|features|shared|views)/' },
      { path: '^apps/web/src/drawn-pages/' },
    ),

    wall(
      'server-service-isolation',
      { path: '^apps/server/src/services/([^/]+)/' },
      {
        path: '^apps/server/src/services/',
        pathNot: '^apps/server/src/services/$1/',
      },
    ),
    layer('server-service-is-below-app', '^apps/server/src/services/', {
      path: '^apps/server/src/(?!services/|library/|kernel/)',
    }),
    layer('server-library-is-below-services', '^apps/server/src/library/', {
      path: '^apps/server/src/(?!library/|kernel/)',
    }),
    layer('server-kernel-is-bottom', '^apps/server/src/kernel/', { path: '^apps/server/src/(?!kernel/)' }),
    layer('realtime-protocol-is-top', '^apps/server/src/services/realtime/(?!protocol/)[^/]+/', {
      path: '^apps/server/src/services/realtime/protocol/',
    }),
    layer('realtime-channels-are-state', '^apps/server/src/services/realtime/channels/', {
      path: '^apps/server/src/services/realtime/(presence/|http/|cluster/|feed/|messages/|[^/]+\\.ts$)',
    }),
    layer(
      'realtime-sources-are-bottom',
      '^apps/server/src/services/realtime/(authorization|changes|cluster|feed|messages)/',
      { path: '^apps/server/src/services/realtime/(channels|presence|broadcast|sockets|http)/' },
    ),
    layer('server-main-is-top', '^apps/server/src/(?!main)', { path: '^apps/server/src/main\\.ts$' }),

    // What is sent into pages knows nothing of the extension; nothing below reaches for a page of it.
    layer('extension-pages-are-top', '^apps/extension/src/(library|outbox|session|page|shared)/', {
      path: '^apps/extension/src/(background|popup|options|panel)/',
    }),

    wall('apps-never-meet', { path: '^apps/([^/]+)/' }, { path: '^apps/', pathNot: '^apps/$1/' }),
    wall(
      'packages-import-no-app',
      { path: '^packages/' },
      { path: '^(apps|supabase|conformance|e2e|bench|mutation)/' },
    ),
    layer('domain-is-pure', '^packages/domain/', {
      pathNot: '^packages/domain/|(^|/)node_modules/(valibot|normalize-url)/',
    }),
    layer('test-kit-is-for-tests', '^(apps|packages/(?!test-kit/))', { path: '^packages/test-kit/' }),

    wall(
      'conformance-is-black-box',
      { path: '^conformance/' },
      {
        path: '^(apps|supabase|e2e|bench|packages/(?!(server-process|api-client)/))',
      },
    ),
    wall(
      'e2e-is-black-box',
      { path: '^e2e/' },
      {
        path: '^(apps|supabase|conformance|bench|packages/(?!server-process/))',
      },
    ),
    wall(
      'functions-are-portable',
      { path: '^supabase/functions/' },
      { path: '^(apps/|packages/(?!domain/src/)|conformance/|e2e/|bench/)' },
    ),
    wall('sql-tests-import-no-app', { path: '^supabase/tests/' }, { path: '^(apps|conformance|e2e|bench)/' }),
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    // A workspace may use the tools of the root, and nothing else that happens to be installed.
    combinedDependencies: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)dist/' },
    // Workspace imports (@linkoteca/NAME/file-name) go through exports maps: without these they stay unchecked.
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.mts', '.mjs', '.js', '.json', '.css', '.d.ts'],
    },
    detectProcessBuiltinModuleCalls: true,
  },
};
