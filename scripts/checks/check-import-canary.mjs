// A tree of deliberate violations, at least one a rule: each must be reported for the file that commits it,
// and the lawful imports beside them must not be.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { cruiseImports, ROOMS } from './cruise-imports.mjs';

const REALTIME = 'apps/server/src/services/realtime';

/** [rule that must report, the file, what it imports]. The imported files are made as well. */
const VIOLATIONS = [
  ['no-unresolvable', 'apps/server/src/kernel/lost.ts', './nowhere.ts'],
  ['no-unresolvable', 'apps/server/src/kernel/lost-package.ts', '@linkoteca/domain/not-there'],
  ['no-cycles', 'apps/server/src/kernel/egg.ts', './hen.ts'],
  ['not-to-dev-dep', 'apps/server/src/kernel/borrows.ts', 'nodemailer'],
  ['no-undeclared-dependency', 'apps/server/src/kernel/smuggles.ts', 'valibot'],
  ['web-feature-isolation', 'apps/web/src/features/links/spies.ts', '../folders/folder.ts'],
  ['web-feature-isolation', 'apps/web/src/features/links/spies.test.ts', '../folders/folder.ts'],
  ['web-app-is-top', 'apps/web/src/features/links/climbs.ts', '../../app/router.ts'],
  ['web-shared-is-bottom', 'apps/web/src/shared/lib/climbs.ts', '../../features/folders/folder.ts'],
  ['web-shared-is-bottom', 'apps/web/src/shared/ui/climbs.ts', '../../views/view.ts'],
  ['web-views-are-pure', 'apps/web/src/views/climbs.ts', '../features/folders/folder.ts'],
  ['web-views-are-pure', 'apps/web/src/views/asks.ts', '../shared/lib/state.ts'],
  ['web-views-are-pure', 'apps/web/src/views/routes.ts', '@tanstack/react-router'],
  ['web-drawn-pages-stand-alone', 'apps/web/src/drawn-pages/climbs.ts', '../app/router.ts'],
  ['web-drawn-pages-stand-alone', 'apps/web/src/drawn-pages/climbs.test.ts', '../features/folders/folder.ts'],
  ['web-drawn-pages-stand-alone', 'apps/web/src/drawn-pages/routes.ts', '@tanstack/react-router'],
  ['web-drawn-pages-are-a-shell', 'apps/web/src/app/draws.ts', '../drawn-pages/page.ts'],
  ['server-service-isolation', 'apps/server/src/services/rest/peeks.ts', '../auth/token.ts'],
  ['server-service-is-below-app', 'apps/server/src/services/rest/climbs.ts', '../../app.ts'],
  ['server-library-is-below-services', 'apps/server/src/library/climbs.ts', '../services/auth/token.ts'],
  ['server-kernel-is-bottom', 'apps/server/src/kernel/climbs.ts', '../services/auth/token.ts'],
  ['server-kernel-is-bottom', 'apps/server/src/kernel/borrows-acts.ts', '../library/links.ts'],
  ['realtime-protocol-is-top', `${REALTIME}/channels/climbs.ts`, '../protocol/handle-frame.ts'],
  ['realtime-protocol-is-top', `${REALTIME}/presence/climbs.ts`, '../protocol/handle-frame.ts'],
  ['realtime-channels-are-state', `${REALTIME}/channels/spies.ts`, '../presence/register.ts'],
  ['realtime-channels-are-state', `${REALTIME}/channels/leans.ts`, '../realtime-context.ts'],
  ['realtime-sources-are-bottom', `${REALTIME}/changes/climbs.ts`, '../channels/channel.ts'],
  ['server-main-is-top', 'apps/server/src/app.ts', './main.ts'],
  ['extension-pages-are-top', 'apps/extension/src/outbox/climbs.ts', '../popup/popup.ts'],
  ['apps-never-meet', 'apps/web/src/app/crosses.ts', '../../../server/src/kernel/hen.ts'],
  ['apps-never-meet', 'apps/extension/src/popup/crosses.ts', '../../../web/src/app/router.ts'],
  ['apps-never-meet', 'apps/server/src/kernel/crosses.test.ts', '../../../web/src/app/router.ts'],
  ['packages-import-no-app', 'packages/migrations/src/climbs.ts', '../../../apps/server/src/app.ts'],
  ['packages-import-no-app', 'packages/embedded-postgres/src/climbs.ts', '../../../supabase/seed.ts'],
  ['domain-is-pure', 'packages/domain/src/reads.ts', 'node:fs'],
  ['domain-is-pure', 'packages/domain/src/queries.ts', 'pg'],
  ['domain-is-pure', 'packages/domain/src/leans.ts', '@linkoteca/migrations/apply'],
  ['test-kit-is-for-tests', 'apps/server/src/kernel/cheats.ts', '@linkoteca/test-kit/throwaway'],
  ['conformance-is-black-box', 'conformance/src/insider.test.ts', '../../apps/server/src/app.ts'],
  ['conformance-is-black-box', 'conformance/src/insider.ts', '@linkoteca/domain/plans'],
  ['e2e-is-black-box', 'e2e/src/insider.ts', '../../apps/server/src/app.ts'],
  ['e2e-is-black-box', 'e2e/src/insider-of-web.ts', '../../apps/web/src/app/router.ts'],
  ['functions-are-portable', 'supabase/functions/pay/index.ts', '@linkoteca/test-kit/throwaway'],
  ['functions-are-portable', 'supabase/functions/pay/leans.ts', '../../../apps/server/src/app.ts'],
  ['sql-tests-import-no-app', 'supabase/tests/insider.test.ts', '../../apps/server/src/app.ts'],
];

/** Imports that must pass without a word. */
const LAWFUL = [
  ['apps/extension/src/popup/shows.ts', '../outbox/climbs.ts'],
  ['apps/web/src/features/links/reads.ts', '@linkoteca/domain/plans'],
  ['apps/web/src/drawn-pages/shows.ts', '../views/view.ts'],
  ['apps/web/src/features/links/shows.ts', '../../views/view.ts'],
  ['apps/web/src/views/shows.ts', '../shared/ui/logo.ts'],
  ['apps/web/src/views/marks.ts', 'react'],
  ['apps/web/src/app/composes.ts', '../features/folders/folder.ts'],
  [`${REALTIME}/protocol/composes.ts`, '../channels/channel.ts'],
  [`${REALTIME}/register.ts`, './protocol/handle-frame.ts'],
  ['apps/server/src/kernel/reads.test.ts', '@linkoteca/test-kit/throwaway'],
  ['supabase/tests/lawful.test.ts', '@linkoteca/test-kit/throwaway'],
  ['conformance/src/lawful.ts', '@linkoteca/server-process/start'],
  ['apps/server/src/services/rest/acts.ts', '../../library/links.ts'],
  ['packages/domain/src/schema.ts', 'valibot'],
  ['supabase/functions/pay/lawful.ts', '../../../packages/domain/src/plans.ts'],
];

/** Files that only have to exist; the second half of the cycle is one of them. */
const BYSTANDERS = {
  'apps/extension/src/popup/popup.ts': '',
  'apps/server/src/kernel/hen.ts': `import './egg.ts';\n`,
  'apps/server/src/main.ts': '',
  'apps/server/src/library/links.ts': '',
  'apps/server/src/services/auth/token.ts': '',
  [`${REALTIME}/channels/channel.ts`]: '',
  [`${REALTIME}/presence/register.ts`]: '',
  [`${REALTIME}/protocol/handle-frame.ts`]: '',
  [`${REALTIME}/realtime-context.ts`]: '',
  'apps/web/src/app/router.ts': '',
  'apps/web/src/drawn-pages/page.ts': '',
  'apps/web/src/features/folders/folder.ts': '',
  'apps/web/src/shared/lib/state.ts': '',
  'apps/web/src/shared/ui/logo.ts': '',
  'apps/web/src/views/view.ts': '',
  'bench/src/empty.ts': '',
  'mutation/src/empty.ts': '',
  'packages/domain/src/plans.ts': '',
  'packages/migrations/src/apply.ts': '',
  'packages/server-process/src/start.ts': '',
  'packages/test-kit/src/throwaway.ts': '',
  'supabase/seed.ts': '',
};

const linked = (name) => [`@linkoteca/${name}`, '0.1.0'];
const WORKSPACES = {
  'apps/extension': {},
  'apps/server': {
    dependencies: [linked('domain')],
    devDependencies: [['nodemailer', '1'], linked('test-kit')],
  },
  'apps/web': {
    dependencies: [linked('domain'), ['react', '1'], ['@tanstack/react-router', '1']],
  },
  conformance: { dependencies: [linked('server-process'), linked('domain')] },
  'packages/domain': { dependencies: [['valibot', '1'], ['pg', '1'], linked('migrations')] },
  'packages/migrations': {},
  'packages/server-process': {},
  'packages/test-kit': {},
};

function plantTree(folder) {
  const write = (path, text) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  write(
    'tsconfig.json',
    '{ "compilerOptions": { "module": "nodenext", "allowImportingTsExtensions": true } }',
  );
  const everywhere = ['test-kit', 'domain'].map(linked);
  write(
    'package.json',
    JSON.stringify({ name: 'canary', private: true, devDependencies: Object.fromEntries(everywhere) }),
  );
  for (const [path, { dependencies = [], devDependencies = [] }] of Object.entries(WORKSPACES)) {
    const name = `@linkoteca/${path.split('/').at(-1)}`;
    const lists = {
      dependencies: Object.fromEntries(dependencies),
      devDependencies: Object.fromEntries(devDependencies),
    };
    write(
      `${path}/package.json`,
      JSON.stringify({ name, type: 'module', exports: { './*': './src/*.ts' }, ...lists }),
    );
    mkdirSync(join(folder, 'node_modules', '@linkoteca'), { recursive: true });
    symlinkSync(join(folder, path), join(folder, 'node_modules', name));
  }
  for (const name of ['@tanstack/react-router', 'nodemailer', 'pg', 'react', 'valibot']) {
    write(`node_modules/${name}/package.json`, JSON.stringify({ name, version: '1.0.0', main: 'index.js' }));
    write(`node_modules/${name}/index.js`, '');
  }
  for (const [path, text] of Object.entries(BYSTANDERS)) write(path, text);
  for (const [path, target] of LAWFUL) write(path, `import '${target}';\n`);
  for (const [, path, target] of VIOLATIONS) write(path, `import '${target}';\n`);
}

const folder = mkdtempSync(join(tmpdir(), 'linkoteca-canary-'));
try {
  plantTree(folder);
  const { violations } = cruiseImports(folder);
  const reported = (rule, path) => violations.some((found) => found.rule === rule && found.from === path);
  const missed = VIOLATIONS.filter(([rule, path]) => !reported(rule, path));
  for (const [rule, path, target] of missed) console.error(`${rule} did not report ${path} → ${target}`);
  const wronged = LAWFUL.filter(([path]) => violations.some((found) => found.from === path));
  for (const [path, target] of wronged) console.error(`a lawful import was reported: ${path} → ${target}`);

  const { forbidden } = createRequire(import.meta.url)('../../.dependency-cruiser.cjs');
  const untried = forbidden.filter(({ name }) => !VIOLATIONS.some(([rule]) => rule === name));
  for (const { name } of untried) console.error(`the canary commits no violation of ${name}`);

  if (missed.length + wronged.length + untried.length > 0) process.exitCode = 1;
  else
    console.log(
      `${forbidden.length} rules, ${VIOLATIONS.length} violations in ${ROOMS.length} rooms, all reported`,
    );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
