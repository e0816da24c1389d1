import { type FavoriteScope, planFavoriteToggle } from '../../../features/favorites/api/toggle-favorite.ts';
import { FAVORITE_LIST_MESSAGES as words } from '../../../features/favorites/model/favorite-list-messages.ts';
import type { StarredItem } from '../../../features/favorites/model/favorite-rows.ts';
import { announce } from '../../../shared/lib/browser/announce.ts';
import { describeError } from '../../../shared/lib/describe-error.ts';
import { toast } from '../../../shared/ui/feedback/toast.ts';

/** Turns a star over. The way back is the same press, so nothing is said on the screen but a refusal. */
export async function toggleStar(scope: FavoriteScope, item: StarredItem): Promise<void> {
  const { adds, run } = planFavoriteToggle(scope, item);
  try {
    await run();
    announce(adds ? words.added : words.removed);
  } catch (error) {
    toast.error(adds ? words.addFailed : words.removeFailed, describeError(error, words.tryAgain));
  }
}
