/** Code where a fault nobody notices costs most, and the tests that have to notice it. */
export type Room = {
  readonly name: string;
  /** Globs of the code. */
  readonly files: readonly string[];
  /** Of them, what is left out. */
  readonly without?: readonly string[];
  /** Globs of files whose figures are the rule: every number is changed as well. */
  readonly figures?: readonly string[];
  /** Projects of vitest.config.ts. */
  readonly projects: readonly string[];
  readonly isTest: (path: string) => boolean;
  /** Whether a test uses sockets or a database: its failure is believed when it comes twice, and it runs after the others. */
  readonly isTimed: (path: string) => boolean;
  /** Its tests speak to a server that is started for them: each fault has a process of its own, and every test of the room is asked. */
  readonly startsServer?: true;
  /** Percent of the faults that have to be noticed. */
  readonly goal: number;
};

const inFolders =
  (...folders: readonly string[]) =>
  (path: string) =>
    folders.some((folder) => path.startsWith(folder));

const always = () => true;
const never = () => false;

const AUTH = 'apps/server/src/services/auth';
const AUTH_CONFIG = 'apps/server/src/kernel/auth-config/*.ts';
const REST = 'apps/server/src/services/rest';
const REALTIME = 'apps/server/src/services/realtime';
const WEB_LIB = 'apps/web/src/shared/lib';

export const ROOMS: readonly Room[] = [
  {
    name: 'payments',
    files: [
      'packages/domain/src/{plans,limits}.ts',
      'supabase/functions/_shared/{sync-customer,refunds,read-price-book,cancel-subscriptions,open-customer-source}.ts',
      'supabase/functions/_shared/{open-subscription-store,find-billing-account,payment-refusals,return-addresses}.ts',
      'supabase/functions/{check-subscription,create-checkout,customer-portal,list-invoices,list-prices}/*.ts',
      'supabase/functions/{reconcile-subscriptions,request-refund,stripe-webhook}/*.ts',
    ],
    without: ['supabase/functions/*/index.ts'],
    figures: ['packages/domain/src/plans.ts'],
    projects: ['packages', 'sql'],
    isTest: inFolders('packages/domain/', 'supabase/functions/', 'supabase/tests/'),
    isTimed: inFolders('supabase/tests/'),
    goal: 95,
  },
  {
    name: 'payments-server',
    files: ['apps/server/src/payments/*.ts', 'apps/server/src/kernel/resolve-payments.ts'],
    projects: ['server'],
    isTest: inFolders(
      'apps/server/src/payments/',
      'apps/server/src/open-payment-emulator.',
      'apps/server/src/kernel/',
    ),
    isTimed: always,
    goal: 95,
  },
  {
    name: 'sessions',
    files: [
      'apps/server/src/services/auth/stores/{sessions,refresh-tokens,one-time-tokens,spend-points}.ts',
      'apps/server/src/services/auth/operations/{grant-token,log-out,verify-link,verify-code}.ts',
      'apps/server/src/services/auth/{authenticate,user-state,apply-verification,code-challenge,mailed-secrets}.ts',
      'apps/server/src/services/auth/present/present-session.ts',
      'apps/server/src/kernel/resolve-caller.ts',
    ],
    projects: ['server'],
    isTest: inFolders('apps/server/src/services/auth/', 'apps/server/src/kernel/resolve-caller.'),
    isTimed: always,
    goal: 95,
  },
  {
    name: 'sign-in-settings',
    files: [AUTH_CONFIG],
    figures: [AUTH_CONFIG],
    projects: ['server'],
    isTest: inFolders(
      'apps/server/src/kernel/',
      'apps/server/src/services/auth/',
      'apps/server/src/read-settings.',
    ),
    isTimed: inFolders('apps/server/src/services/auth/'),
    goal: 95,
  },
  {
    name: 'programs',
    files: [`${AUTH}/{oauth-server,personal-tokens}/*.ts`],
    projects: ['server'],
    isTest: inFolders(
      `${AUTH}/oauth-server/`,
      `${AUTH}/personal-tokens/`,
      `${AUTH}/hostile-requests.`,
      'apps/server/src/bounded-tokens.',
    ),
    isTimed: always,
    goal: 95,
  },
  {
    name: 'second-factors',
    files: [
      `${AUTH}/{factors,passkeys}/*.ts`,
      `${AUTH}/stores/{factors,raise-session,passkeys,phones,recovery-codes,factor-resets}.ts`,
      `${AUTH}/stores/{webauthn-challenges,webauthn-credentials}.ts`,
      'apps/server/src/kernel/sealed-text.ts',
    ],
    projects: ['server'],
    isTest: inFolders(
      `${AUTH}/factors/`,
      `${AUTH}/passkeys/`,
      `${AUTH}/stores/`,
      `${AUTH}/audit-log.`,
      'apps/server/src/kernel/sealed-text.',
    ),
    isTimed: always,
    goal: 95,
  },
  {
    name: 'single-sign-on',
    files: [`${AUTH}/sso/*.ts`],
    projects: ['server'],
    isTest: inFolders(`${AUTH}/sso/`),
    isTimed: always,
    goal: 95,
  },
  {
    name: 'keys',
    files: ['apps/server/src/kernel/keyring.ts', 'apps/server/src/kernel/{keys,third-party}/*.ts'],
    projects: ['server'],
    isTest: inFolders('apps/server/src/kernel/'),
    isTimed: never,
    goal: 95,
  },
  {
    name: 'hooks-and-templates',
    files: ['apps/server/src/services/auth/hooks/*.ts', 'apps/server/src/kernel/go-template/*.ts'],
    projects: ['server'],
    isTest: inFolders('apps/server/src/kernel/', 'apps/server/src/services/auth/'),
    isTimed: inFolders('apps/server/src/services/auth/'),
    goal: 85,
  },
  {
    name: 'link-checks',
    files: ['supabase/functions/{check-links,link-status}/*.ts', 'apps/server/src/jobs/link-checks.ts'],
    without: ['supabase/functions/*/index.ts'],
    projects: ['packages', 'server'],
    isTest: inFolders('supabase/functions/', 'apps/server/src/jobs/'),
    isTimed: inFolders('apps/server/src/jobs/'),
    goal: 85,
  },
  {
    name: 'sessions-web',
    files: [
      `${WEB_LIB}/session/*.{ts,tsx}`,
      `${WEB_LIB}/supabase/{create-authorized-fetch,auth-storage-key,read-auth-link,create-auth-client}.ts`,
      'apps/web/src/shared/sign-in/*.{ts,tsx}',
    ],
    projects: ['web'],
    isTest: inFolders(
      `${WEB_LIB}/session/`,
      `${WEB_LIB}/supabase/`,
      'apps/web/src/features/auth/',
      'apps/web/src/shared/sign-in/',
      'apps/web/src/features/account/components/security-panel.',
      'apps/web/src/app/second-step',
    ),
    isTimed: never,
    goal: 95,
  },
  {
    name: 'storage',
    files: [
      'apps/server/src/services/storage/transfer/{signed-addresses,register-uploads,read-upload,media-type,build-file-headers}.ts',
      'apps/server/src/services/storage/records/{objects,write-object}.ts',
      'apps/server/src/services/storage/{open-call,validate-names}.ts',
      'apps/server/src/services/storage/blobs/{sweep-orphans,create-folder-store}.ts',
    ],
    projects: ['server'],
    isTest: inFolders('apps/server/src/services/storage/'),
    isTimed: always,
    goal: 85,
  },
  {
    name: 'large-files',
    files: ['apps/server/src/services/storage/{resumable,render}/*.ts'],
    projects: ['server'],
    isTest: inFolders('apps/server/src/services/storage/'),
    isTimed: always,
    goal: 85,
  },
  {
    name: 'table-api',
    files: [`${REST}/plan/*.ts`],
    projects: ['server'],
    // An answer too large is cut off by time or by size, whichever comes first on a busy machine.
    isTest: (path) => path.startsWith(`${REST}/`) && !path.endsWith('/refuse-oversized-answers.test.ts'),
    isTimed: always,
    goal: 85,
  },
  {
    name: 'table-api-statements',
    files: [`${REST}/{sql,schema-cache,run}/*.ts`],
    projects: ['server'],
    isTest: (path) => path.startsWith(`${REST}/`) && !path.endsWith('/refuse-oversized-answers.test.ts'),
    isTimed: always,
    goal: 85,
  },
  {
    name: 'realtime-rights',
    files: [
      `${REALTIME}/changes/access/*.ts`,
      `${REALTIME}/authorization/*.ts`,
      `${REALTIME}/changes/*.ts`,
      `${REALTIME}/channels/policy-watch.ts`,
      `${REALTIME}/protocol/ask-policies-again.ts`,
    ],
    projects: ['server'],
    isTest: inFolders(`${REALTIME}/`),
    isTimed: always,
    goal: 95,
  },
  {
    name: 'writes',
    files: [`${WEB_LIB}/writes/*.ts`],
    projects: ['web'],
    isTest: inFolders(`${WEB_LIB}/writes/`, 'apps/web/src/features/links/', 'apps/web/src/features/folders/'),
    isTimed: never,
    goal: 85,
  },
  {
    name: 'mail-in',
    files: ['supabase/functions/mail-in/*.ts'],
    without: ['supabase/functions/*/index.ts'],
    projects: ['packages'],
    isTest: inFolders('supabase/functions/mail-in/'),
    isTimed: never,
    goal: 85,
  },
  {
    name: 'captures-web',
    files: ['apps/web/src/{features/captures/{api,model},app/captures}/*.ts'],
    projects: ['web'],
    isTest: inFolders(
      'apps/web/src/app/captures/',
      'apps/web/src/features/captures/',
      'apps/web/src/app/organiser/',
    ),
    isTimed: never,
    goal: 85,
  },
  {
    name: 'extension',
    files: ['apps/extension/src/{background,outbox,page,session}/*.ts'],
    projects: ['packages'],
    isTest: inFolders('apps/extension/'),
    isTimed: never,
    goal: 85,
  },
  {
    name: 'plain-api',
    files: ['apps/server/src/{library,services/api,services/api/operations,services/api/linkding}/*.ts'],
    projects: ['server', 'conformance'],
    isTest: inFolders(
      'apps/server/src/services/api/',
      'conformance/src/api.',
      'conformance/src/api-attacks.',
      'conformance/src/api-document.',
      'conformance/src/api-shared-folders.',
      'conformance/src/linkding.',
      'conformance/src/mcp.',
    ),
    isTimed: inFolders('conformance/'),
    startsServer: true,
    goal: 85,
  },
  {
    name: 'mcp',
    files: ['apps/server/src/services/mcp/{*,tools/*}.ts'],
    projects: ['server', 'conformance'],
    // The one over standard input starts a program by npm, which would install the packages into the copy of the tree.
    isTest: (path) => /^(apps\/server\/src\/services\/mcp\/|conformance\/src\/mcp(?!-over-stdio))/.test(path),
    isTimed: inFolders('conformance/'),
    startsServer: true,
    goal: 85,
  },
  {
    name: 'feeds',
    files: ['apps/server/src/services/pages/{feeds/*,routes/serve-secret-feeds}.ts'],
    projects: ['server'],
    isTest: inFolders('apps/server/src/services/pages/'),
    isTimed: always,
    goal: 85,
  },
  {
    name: 'webhooks',
    files: ['apps/server/src/jobs/webhooks/*.ts', 'apps/server/src/kernel/sign-webhook.ts'],
    projects: ['server'],
    isTest: inFolders('apps/server/src/jobs/webhooks/', 'apps/server/src/kernel/'),
    isTimed: always,
    goal: 85,
  },
  {
    name: 'gates',
    files: [
      'apps/server/src/kernel/{create-gate,fair-share,is-account-open}.ts',
      'apps/server/src/kernel/gateway/body-timeout.ts',
      'apps/server/src/services/auth/{rate-limits,mail-allowance}.ts',
      `${REALTIME}/sockets/{socket-limits,socket-places}.ts`,
    ],
    projects: ['server'],
    isTest: inFolders('apps/server/src/kernel/', 'apps/server/src/services/auth/', `${REALTIME}/sockets/`),
    isTimed: always,
    goal: 85,
  },
];

/** @throws when there is none of that name. */
export function findRoom(name: string): Room {
  const room = ROOMS.find((each) => each.name === name);
  if (!room) throw new Error(`no such room: ${name}`);
  return room;
}
