import {
  describeTagAdding,
  describeTagRemoval,
  TAG_MESSAGES,
  titleTagging,
} from '@linkoteca/domain/messages/tag-messages';
import { tagKey } from '@linkoteca/domain/tags';
import { Plus, X } from 'lucide-react';
import { useMemo, useRef, useState } from 'react';
import { retagCachedLinks } from '../../../features/links/model/retag-links.ts';
import type { SharedTags } from '../../../features/tags/api/list-shared-tags.ts';
import { useTags } from '../../../features/tags/api/list-tags.ts';
import { renewTagged, tagLinks, undoTagChanges } from '../../../features/tags/api/tag-links.ts';
import { TagField } from '../../../features/tags/components/tag-field.tsx';
import { describeTagFailure } from '../../../features/tags/model/describe-tag-failure.ts';
import { suggestTags } from '../../../features/tags/model/suggest-tags.ts';
import { byName, type Tag } from '../../../features/tags/model/tag-rows.ts';
import { tagsOfNames } from '../../../features/tags/model/tags-of-names.ts';
import type { Link } from '../../../shared/lib/rows.ts';
import { useSingleFlight } from '../../../shared/lib/writes/use-single-flight.ts';
import { FormDialog } from '../../../shared/ui/dialogs/form-dialog.tsx';
import { toast } from '../../../shared/ui/feedback/toast.ts';
import { toastWithUndo } from '../../../shared/ui/feedback/toast-with-undo.ts';
import { useTagScope } from './use-tag-scope.ts';

const NONE: readonly Tag[] = [];

interface TagLinksDialogProps {
  readonly open: boolean;
  readonly links: readonly Link[];
  /** The names on links of somebody's folder, by id; null of one's own links. */
  readonly shared: SharedTags | null;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** The tags of one link or of many: those that all of them have in the field, those of some below it. One 'Desfazer' takes all back. */
export function TagLinksDialog({ open, links, shared, onClose, onDone }: TagLinksDialogProps) {
  const scope = useTagScope();
  const own = useTags().data ?? NONE;
  const tags = useMemo(() => (shared ? tagsOfNames(shared.values()) : own), [shared, own]);
  const [start] = useState(() => countTags(links, tags, shared));
  const [names, setNames] = useState<readonly string[]>(start.all);
  const [some, setSome] = useState<readonly string[]>(start.some);
  const [saving, setSaving] = useState(false);
  const [error, setError] = useState<string>();
  // Of all attempts: the first may have stopped halfway.
  const changes = useRef<number[]>([]);
  const keys = new Set(names.map(tagKey));
  const added = names.filter((name) => !start.all.includes(name));
  const removed = [
    ...start.all.filter((name) => !keys.has(tagKey(name))),
    ...start.some.filter((name) => !some.includes(name) && !keys.has(tagKey(name))),
  ];
  const dirty = added.length + removed.length > 0;
  const [first] = links;
  const suggestions = useMemo(
    () => (links.length === 1 && first ? suggestTags(first, tags, [], names) : []),
    [links, first, tags, names],
  );

  const save = useSingleFlight(async (_event: unknown) => {
    if (!dirty) return onClose();
    setSaving(true);
    setError(undefined);
    try {
      const ids = links.map(({ id }) => id);
      await tagLinks(
        scope,
        { ids, added, removed },
        (tagged) => (shared ? renewTagged(scope.queryClient) : retagCachedLinks(scope.queryClient, tagged)),
        changes.current,
      );
      onClose();
      onDone();
      toastWithUndo(TAG_MESSAGES.saved, () => void takeBack());
    } catch (failure) {
      setError(describeTagFailure(failure, `${TAG_MESSAGES.saveFailed}. ${TAG_MESSAGES.retry}`));
    }
    setSaving(false);
  });
  const takeBack = async () => {
    try {
      await undoTagChanges(scope, changes.current);
      toast.success(TAG_MESSAGES.undone);
    } catch (failure) {
      toast.error(TAG_MESSAGES.undoFailed, describeTagFailure(failure, TAG_MESSAGES.retry));
    }
  };

  return (
    <FormDialog
      open={open}
      title={titleTagging(links.length)}
      description={links.length === 1 ? <span className="line-clamp-1">{first?.title}</span> : undefined}
      dirty={dirty}
      saving={saving}
      onClose={onClose}
      onSubmit={(event) => void save(event)}
    >
      <TagField
        label={links.length === 1 ? TAG_MESSAGES.fieldName : TAG_MESSAGES.of}
        value={names}
        onChange={(next) => {
          setError(undefined);
          setNames(next);
        }}
        tags={tags}
        suggestions={suggestions}
        error={error}
      />
      {some.length > 0 ? (
        <section aria-label={TAG_MESSAGES.ofSome}>
          <h3 className="mb-1.5 text-sm font-medium text-ink">{TAG_MESSAGES.ofSome}</h3>
          <ul className="flex flex-wrap gap-1.5">
            {some.map((name) => (
              <li
                key={name}
                className="inline-flex h-7 max-w-full items-center rounded-sm border border-edge text-sm text-ink-soft pointer-coarse:h-11"
              >
                <button
                  type="button"
                  aria-label={describeTagAdding(name)}
                  className="inline-flex h-full min-w-0 items-center gap-1 rounded-sm px-2 hover:bg-hover hover:text-ink [&_svg]:size-3"
                  onClick={() => {
                    setSome(some.filter((other) => other !== name));
                    setNames([...names, name]);
                  }}
                >
                  <Plus aria-hidden />
                  <span className="truncate">{name}</span>
                </button>
                <button
                  type="button"
                  aria-label={describeTagRemoval(name)}
                  className="hit-area grid size-6 shrink-0 place-items-center rounded-sm hover:bg-press hover:text-ink pointer-coarse:size-11 [&_svg]:size-3.5"
                  onClick={() => setSome(some.filter((other) => other !== name))}
                >
                  <X aria-hidden />
                </button>
              </li>
            ))}
          </ul>
        </section>
      ) : null}
    </FormDialog>
  );
}

/** Names of the tags that all of the links have, and of those that some have. */
function countTags(links: readonly Link[], tags: readonly Tag[], shared: SharedTags | null) {
  const counts = new Map<string, number>();
  const idsOf = ({ id, link_tags = [] }: Link) =>
    // A name stands for a tag of somebody else's.
    shared ? (shared.get(id) ?? []) : link_tags.map(({ tag_id }) => tag_id);
  for (const link of links) for (const id of idsOf(link)) counts.set(id, (counts.get(id) ?? 0) + 1);
  const known = tags.filter(({ id }) => counts.has(id)).toSorted(byName);
  const isOfAll = ({ id }: Tag) => counts.get(id) === links.length;
  return {
    all: known.filter(isOfAll).map(({ name }) => name),
    some: known.filter((tag) => !isOfAll(tag)).map(({ name }) => name),
  };
}
