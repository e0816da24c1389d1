import { TAG_MESSAGES } from '@linkoteca/domain/messages/tag-messages';
import { tagKey } from '@linkoteca/domain/tags';
import { type Tagged, type TagScope, tagLinks } from '../../../features/tags/api/tag-links.ts';
import { describeTagFailure } from '../../../features/tags/model/describe-tag-failure.ts';
import { toast } from '../../../shared/ui/feedback/toast.ts';

interface LinkTags {
  readonly linkId: string;
  /** Names. */
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** Gives a saved link the tags of its form, and says so where that fails. @param onTagged with what lists of links may show. */
export async function saveLinkTags(
  scope: TagScope,
  { linkId, before, after }: LinkTags,
  onTagged: (tagged: Tagged) => void,
): Promise<void> {
  const keys = (names: readonly string[]) => new Set(names.map(tagKey));
  const added = after.filter((name) => !keys(before).has(tagKey(name)));
  const removed = before.filter((name) => !keys(after).has(tagKey(name)));
  if (added.length + removed.length === 0) return;
  try {
    await tagLinks(scope, { ids: [linkId], added, removed }, onTagged);
  } catch (error) {
    toast.error(TAG_MESSAGES.linkWithoutTags, describeTagFailure(error, TAG_MESSAGES.retry));
  }
}
