import { fillLibrary, type Library } from './fill-library.ts';
import { openAccount } from './open-account.ts';
import type { RunningServer } from './run-server.ts';
import { subscribe } from './subscribe.ts';

/** 'Dona Clara', who has the plan for it, shares a category with an address. */
export async function shareWith(server: RunningServer, email: string, category: string): Promise<Library> {
  const owner = await openAccount(server, 'Dona Clara');
  await subscribe(server, owner, 'plus');
  const library = await fillLibrary(owner, { category, links: ['Maçã'] });
  await owner.insert('shared_with', [{ category_id: library.categoryId, email }]);
  return library;
}
