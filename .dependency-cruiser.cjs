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
    layer('web-shared-is-bottom', '^apps/web/src/shared/', { path: '^apps/web/src/features/' }),

    wall(
      'server-service-isolation',
      { path: '^apps/server/src/services/([^/]+)/' },
      {
        path: '^apps/server/src/services/',
        pathNot: '^apps/server/src/services/$1/',
      },
    ),
    layer('server-service-is-below-app', '^apps/server/src/services/', {
      path: '^apps/server/src/(?!services/|kernel/)',
    }),
    layer('server-kernel-is-bottom', '^apps/server/src/kernel/', { path: '^apps/server/src/(?!kernel/)' }),
    layer('server-main-is-top', '^apps/server/src/(?!main)', { path: '^apps/server/src/main\\.ts$' }),

    wall('apps-never-meet', { path: '^apps/([^/]+)/' }, { path: '^apps/', pathNot: '^apps/$1/' }),
    wall(
      'packages-import-no-app',
      { path: '^packages/' },
      { path: '^(apps|supabase|conformance|e2e|bench)/' },
    ),
    layer('domain-is-pure', '^packages/domain/', {
      pathNot: '^packages/domain/|(^|/)node_modules/valibot/',
    }),
    layer('test-kit-is-for-tests', '^(apps|packages/(?!test-kit/))', { path: '^packages/test-kit/' }),

    wall(
      'conformance-is-black-box',
      { path: '^conformance/' },
      {
        path: '^(apps|supabase|e2e|bench|packages/(?!server-process/))',
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
