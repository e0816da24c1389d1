import { upgradeCluster } from '../upgrade-cluster.ts';

/** An upgrade that says when it is in the middle of its work, and stays there until it is killed. */
const [, , dataFolder = '', workFolder = '', binaries = ''] = process.argv;
await upgradeCluster({
  dataFolder,
  workFolder,
  findOldBinaries: async () => binaries,
  transfer: () => {
    process.stdout.write('transferring\n');
    return new Promise(() => setInterval(() => undefined, 1000));
  },
  now: () => new Date(),
});
