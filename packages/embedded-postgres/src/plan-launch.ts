import { spawnSync } from 'node:child_process';
import type { Account } from './choose-account.ts';
import { PostgresStartError } from './describe-folder-failure.ts';

/** How a program is started so that it runs as the right account and ends when this process does. */
export type Launch = {
  /** Program and arguments to put in front of the real ones. */
  readonly prefix: readonly string[];
  /** Left for `spawn` where nothing in `prefix` changes the account. */
  readonly identity: { readonly uid?: number; readonly gid?: number };
  /** The program ends when our end of its standard input closes; otherwise the kernel sees to it. */
  readonly usesPipe: boolean;
};

/**
 * `setpriv --pdeathsig` asks the kernel to interrupt Postgres when we die, however we die. Where it is missing a shell
 * waits on a pipe that only we hold open.
 *
 * `dac_override` carries Postgres through folders closed to its account (a clone below /root, say). Without
 * no_setuid_fixup the kernel drops the capability from what access(2) looks at, which Postgres asks first.
 * @throws PostgresStartError when folders are closed and setpriv is missing.
 */
export function planLaunch(account: Account): Launch {
  const { userId, groupId, isOther, needsPassage } = account;
  if (hasSetpriv()) {
    const change = isOther ? ['--reuid', String(userId), '--regid', String(groupId), '--clear-groups'] : [];
    const capabilities = '-all,+dac_override';
    const passage = needsPassage
      ? ['--securebits=+no_setuid_fixup', `--inh-caps=${capabilities}`, `--ambient-caps=${capabilities}`]
      : [];
    return {
      prefix: ['setpriv', ...change, ...passage, '--pdeathsig', 'INT', '--'],
      identity: {},
      usesPipe: false,
    };
  }
  if (needsPassage)
    throw new PostgresStartError(
      'O usuário do Postgres não alcança a pasta do projeto ou a de dados: libere a passagem (chmod o+x nas pastas acima), ou escolha outra pasta com DATA_DIR.',
    );
  return {
    prefix: ['/bin/sh', '-c', WATCHDOG],
    identity: isOther ? { uid: userId, gid: groupId } : {},
    usesPipe: true,
  };
}

/**
 * Interrupts the program ($0 and its arguments) once standard input ends, and ends with the program's own status. The program
 * inherits descriptor 3, a lock, which the shell itself lets go of.
 */
const WATCHDOG = [
  'exec 4<&0',
  '"$0" "$@" </dev/null 4<&- & program=$!',
  '{ read -r _ <&4; kill -INT $program; } 2>/dev/null 3<&- & watch=$!',
  'exec 3<&- 4<&-',
  'wait $program; status=$?',
  'kill $watch 2>/dev/null',
  'exit $status',
].join('\n');

/** The setpriv of busybox knows no --pdeathsig, so ask rather than look for the file. */
function hasSetpriv(): boolean {
  if (process.platform !== 'linux') return false;
  return spawnSync('setpriv', ['--pdeathsig', 'INT', '--', 'true'], { stdio: 'ignore' }).status === 0;
}
