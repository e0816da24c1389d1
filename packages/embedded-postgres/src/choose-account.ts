import { spawnSync } from 'node:child_process';
import { type Stats, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PostgresStartError } from './describe-folder-failure.ts';

/** The system account Postgres runs as. */
export type Account = {
  readonly userId: number;
  readonly groupId: number;
  /** We are another account (root) and have to change into this one. */
  readonly isOther: boolean;
  /** A folder on the way to the binaries or to the data is closed to this account. */
  readonly needsPassage: boolean;
};

type Places = {
  readonly binaries: string;
  readonly clusterFolder: string;
  readonly socketFolder: string;
};

type Identity = Pick<Account, 'userId' | 'groupId'>;

/**
 * Postgres refuses to run as root: then it runs as the owner of the existing cluster, else as `postgres`, else as
 * `nobody`. An ordinary user runs it as itself.
 * @throws PostgresStartError when the cluster belongs to somebody else, or no account is to be found.
 */
export function chooseAccount({ binaries, clusterFolder, socketFolder }: Places): Account {
  const cluster = statSync(clusterFolder, { throwIfNoEntry: false });
  const [ownUser, ownGroup] = [process.getuid?.() ?? -1, process.getgid?.() ?? -1];
  if (ownUser !== 0) {
    if (cluster && cluster.uid !== ownUser)
      throw new PostgresStartError(
        `A pasta ${clusterFolder} pertence a outro usuário (uid ${cluster.uid}): inicie com ele, ou mude o dono da pasta.`,
      );
    return { userId: ownUser, groupId: ownGroup, isOther: false, needsPassage: false };
  }
  const identity =
    cluster && cluster.uid !== 0 ? { userId: cluster.uid, groupId: cluster.gid } : findServiceIdentity();
  // The cluster and the socket folder are given to the account; what lies above them, and the binaries, are not.
  const onTheWay = [join(binaries, 'bin', 'postgres'), join(binaries, 'lib')];
  onTheWay.push(dirname(clusterFolder), dirname(socketFolder));
  return { ...identity, isOther: true, needsPassage: !onTheWay.every((path) => canReach(path, identity)) };
}

/** The account of services on this machine: `postgres`, else `nobody`. @throws PostgresStartError when there is neither. */
export function findServiceIdentity(): Identity {
  for (const name of ['postgres', 'nobody']) {
    const [userId = 0, groupId = 0] = ['-u', '-g'].map((flag) => {
      const { status, stdout } = spawnSync('id', [flag, name], { encoding: 'utf8' });
      return status === 0 ? Number(stdout) : 0;
    });
    if (userId > 0) return { userId, groupId };
  }
  throw new PostgresStartError(
    'O Postgres não roda como root e não há usuário "postgres" nem "nobody": crie um (useradd --system postgres), ou inicie com um usuário comum.',
  );
}

/** Whether the account may enter or execute `path` and every folder above it. */
function canReach(path: string, identity: Identity): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found && !mayExecute(found, identity)) return false;
  return path === dirname(path) || canReach(dirname(path), identity);
}

function mayExecute({ mode, uid, gid }: Stats, { userId, groupId }: Identity): boolean {
  if (uid === userId) return (mode & 0o100) !== 0;
  if (gid === groupId) return (mode & 0o010) !== 0;
  return (mode & 0o001) !== 0;
}
