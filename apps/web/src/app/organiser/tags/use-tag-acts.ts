import { UNIQUE_VIOLATION } from '@linkoteca/domain/limits';
import { describeTakenTag, MERGE_INSTEAD, TAG_MESSAGES } from '@linkoteca/domain/messages/tag-messages';
import { readTagName } from '@linkoteca/domain/tags';
import { useRef } from 'react';
import { changeTag, deleteTag, mergeTags } from '../../../features/tags/api/change-tags.ts';
import { undoTagChanges } from '../../../features/tags/api/tag-links.ts';
import { describeTagFailure } from '../../../features/tags/model/describe-tag-failure.ts';
import { findTag, type Tag } from '../../../features/tags/model/tag-rows.ts';
import { toast } from '../../../shared/ui/feedback/toast.ts';
import { followWithUndo } from '../../../shared/ui/feedback/toast-with-undo.ts';
import { useTagScope } from './use-tag-scope.ts';

/** What the page of tags does with them: each shows at once, says how it ended, and has its way back. */
export function useTagActs(tags: readonly Tag[]) {
  const scope = useTagScope();
  const halfMerged = useRef(new Map<string, number[]>()).current;
  const fail = (title: string, error: unknown) =>
    void toast.error(title, describeTagFailure(error, TAG_MESSAGES.retry));
  const takeBack = async (changes: readonly number[]) => {
    try {
      await undoTagChanges(scope, changes);
      toast.success(TAG_MESSAGES.undone);
    } catch (error) {
      fail(TAG_MESSAGES.undoFailed, error);
    }
  };

  const follow = (write: Promise<readonly number[]>, done: string, failed: string) =>
    followWithUndo(
      write.catch((error: unknown) => {
        fail(failed, error);
        return null;
      }),
      { describe: () => done, undo: (changes) => void takeBack(changes) },
    );
  const merge = (source: Tag, target: Tag) => {
    const pair = `${source.id} ${target.id}`;
    const changes = halfMerged.get(pair) ?? [];
    halfMerged.set(pair, changes);
    const merged = mergeTags(scope, source.id, target.id, changes).then((done) => {
      halfMerged.delete(pair);
      return done;
    });
    return follow(merged, TAG_MESSAGES.merged, TAG_MESSAGES.mergeFailed);
  };
  const remove = (tag: Tag) =>
    follow(
      deleteTag(scope, tag.id).then((change) => [change]),
      TAG_MESSAGES.removed,
      TAG_MESSAGES.removeFailed,
    );
  const paint = async (tag: Tag, color: string | null) => {
    try {
      await changeTag(scope, tag.id, { color });
    } catch (error) {
      fail(TAG_MESSAGES.colorFailed, error);
    }
  };
  /** @returns false where it has another name still, and the person has been told. */
  const rename = async (tag: Tag, typed: string): Promise<boolean> => {
    const name = readTagName(typed);
    if (name === null) {
      toast.error(TAG_MESSAGES.renameFailed, TAG_MESSAGES.unnamed);
      return false;
    }
    const other = findTag(tags, name);
    if (other && other.id !== tag.id) {
      toast.error(describeTakenTag(other.name), undefined, {
        action: { label: MERGE_INSTEAD, onPress: () => void merge(tag, other) },
      });
      return false;
    }
    const renamed = changeTag(scope, tag.id, { name }).then(
      () => true as const,
      (error: unknown) => {
        if (Object(error).code === UNIQUE_VIOLATION) toast.error(describeTakenTag(name));
        else fail(TAG_MESSAGES.renameFailed, error);
        return null;
      },
    );
    const done = await followWithUndo(renamed, {
      describe: () => TAG_MESSAGES.renamed,
      undo: () =>
        void changeTag(scope, tag.id, { name: tag.name }).catch((error: unknown) =>
          fail(TAG_MESSAGES.undoFailed, error),
        ),
    });
    return done !== null;
  };
  return { merge, remove, paint, rename };
}
