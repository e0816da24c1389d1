import { join } from 'node:path';
import { withOwnedFolder } from '@linkoteca/embedded-postgres/lock-data-folder';
import { finishSwap, isSwapUnfinished } from './swap-restored.ts';

/**
 * Before a server starts: a restoration whose result was whole and checked, but which was cut short while it took its place, is
 * brought to its end. One that was cut short earlier has changed nothing.
 * @throws PostgresStartError while the restoration is still at it.
 */
export async function finishRestoration(dataFolder: string): Promise<void> {
  if (!isSwapUnfinished(dataFolder)) return;
  await withOwnedFolder(join(dataFolder, 'postgres'), async () => finishSwap(dataFolder));
}
