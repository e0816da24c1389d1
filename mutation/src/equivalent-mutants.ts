import type { Mutant } from './list-mutants.ts';

/** A fault that nobody can notice, because the program does the same with it. */
type Equivalent = {
  readonly file: string;
  /** The line as it is and as it is with the fault, as a run prints them. */
  readonly mutated: string;
  readonly reason: string;
};

const FOLDER_STORE = 'apps/server/src/services/storage/blobs/create-folder-store.ts';
const FAIR_SHARE = 'apps/server/src/kernel/fair-share.ts';
const ACCOUNT_OPEN = 'apps/server/src/kernel/is-account-open.ts';
const SOCKET_PLACES = 'apps/server/src/services/realtime/sockets/socket-places.ts';

/** Read by hand, one by one. A test fails when one is no longer in the code. */
export const EQUIVALENT_MUTANTS: readonly Equivalent[] = [
  {
    file: 'supabase/functions/_shared/sync-customer.ts',
    mutated:
      '(a.subscription.id < b.subscription.id ? 1 : -1) => (a.subscription.id <= b.subscription.id ? 1 : -1)',
    reason: 'no two subscriptions have one id',
  },
  ...[
    'if (next.waiting.length === 0) waiting.delete(next); => if (false) waiting.delete(next);',
    'if (next.waiting.length === 0) waiting.delete(next); => if (next.waiting.length === 0) ;',
    'if (account.waiting.length === 0) waiting.delete(account); => if (false) waiting.delete(account);',
    'if (account.waiting.length === 0) waiting.delete(account); => if (account.waiting.length === 0) ;',
  ].map((mutated) => ({
    file: FAIR_SHARE,
    mutated,
    reason: 'an account of which nobody waits is passed over; it only takes memory',
  })),
  {
    file: ACCOUNT_OPEN,
    mutated: '{ readOnly: true }, => { readOnly: false },',
    reason: 'the function writes nothing',
  },
  {
    file: ACCOUNT_OPEN,
    mutated: 'if (doubtful.length === 0) return new Set(); => if (false) return new Set();',
    reason: 'a question about nobody names nobody: it only costs a round trip',
  },
  ...[
    "if (id === undefined || id === null || id === '') return null; => if (false) return null;",
    "if (id === undefined || id === null || id === '') return null; => if (id === undefined && id === null || id === '') return null;",
    "if (id === undefined || id === null || id === '') return null; => if (id === undefined || id === null && id === '') return null;",
  ].map((mutated) => ({
    file: ACCOUNT_OPEN,
    mutated,
    reason: 'a caller who looks ended without being so is asked about by the second query, which decides',
  })),
  ...[
    'if (get(name) > 1) counts.set(name, get(name) - 1); => if (true) counts.set(name, get(name) - 1);',
    'if (get(name) > 1) counts.set(name, get(name) - 1); => if (get(name) >= 1) counts.set(name, get(name) - 1);',
  ].map((mutated) => ({
    file: SOCKET_PLACES,
    mutated,
    reason: 'a count of none is as good as no count; it only takes memory',
  })),
  ...['await syncPath(dirname(path)); => ;', 'await syncPath(path); => ;', 'await handle.sync(); => ;'].map(
    (mutated) => ({
      file: FOLDER_STORE,
      mutated,
      reason: 'whether the disk has it, a power cut alone would tell',
    }),
  ),
  {
    file: FOLDER_STORE,
    mutated: 'await handle.close(); => ;',
    reason: 'Node closes what was forgotten when it collects it',
  },
  {
    file: FOLDER_STORE,
    mutated:
      'if (modifiedAt < before) await rm(path, { force: true }); => if (modifiedAt < before) await rm(path, { force: false });',
    reason: 'differs only when somebody else removes the same file between two calls',
  },
  {
    file: 'apps/server/src/services/realtime/changes/access/create-row-checks.ts',
    mutated: 'isScheduled = true; => isScheduled = false;',
    reason: 'the loop runs once more for each question, and finds nothing left to send',
  },
  {
    file: 'apps/server/src/services/realtime/changes/access/parse-policy.ts',
    mutated: 'if (at < 0) return UNDECIDED; => if (false) return UNDECIDED;',
    reason:
      'without a sign the left side lacks the last part and the right has all: no pair of them is a comparison',
  },
  {
    file: 'apps/server/src/services/rest/plan/plan-read.ts',
    mutated: `for (let count = 2; context.takenAliases.has(alias); count += 1) alias = \`\${base}_\${count}\`; => for (let count = 2; context.takenAliases.has(alias); count -= 1) alias = \`\${base}_\${count}\`;`,
    reason: 'inside the statement any name will do that is not taken',
  },
  {
    file: 'apps/server/src/services/rest/sql/render-read.ts',
    mutated: `return offset === 0 ? rows : \`\${rows} offset \${writer.bind(String(offset))}\`.trim(); => return offset === 0 ? rows : \`\${rows} offset \${writer.bind(String(offset))}\`;`,
    reason: 'a space before it changes no statement',
  },
  {
    file: 'apps/server/src/services/rest/schema-cache/listen-for-reload.ts',
    mutated: 'clearInterval(looking); => ;',
    reason: 'a timer that is left finds no session, or only what the other one has seen',
  },
  {
    file: 'apps/server/src/jobs/webhooks/webhook-job.ts',
    mutated:
      'await Promise.race([...underWay, sleep(GO_ON_AFTER_MS, undefined, { ref: false })]); => await Promise.race([...underWay, sleep(GO_ON_AFTER_MS, undefined, { ref: true })]);',
    reason: 'a process that ends waits a quarter of a second for it at most',
  },
];

/** The line as it is, and as it is with the fault. */
export function describeMutant(text: string, { start, end, replacement }: Mutant): string {
  const from = text.lastIndexOf('\n', start - 1) + 1;
  const next = text.indexOf('\n', end);
  const [before, after] = [text.slice(from, start), text.slice(end, next === -1 ? undefined : next)];
  const shorten = (code: string) => {
    const line = code.replaceAll(/\s+/g, ' ').trim();
    return line.length > MOST_LETTERS ? `${line.slice(0, MOST_LETTERS)}…` : line;
  };
  return `${shorten(text.slice(from, end) + after)} => ${shorten(before + replacement + after)}`;
}

const MOST_LETTERS = 120;

/** Why a mutant changes nothing, if that is known. */
export function findReason(text: string, mutant: Mutant): string | undefined {
  const candidates = EQUIVALENT_MUTANTS.filter(({ file }) => file === mutant.file);
  if (candidates.length === 0) return undefined;
  const mutated = describeMutant(text, mutant);
  return candidates.find((each) => each.mutated === mutated)?.reason;
}
