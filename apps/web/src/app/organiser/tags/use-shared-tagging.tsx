import { TAG_MESSAGES } from '@linkoteca/domain/messages/tag-messages';
import { useMemo } from 'react';
import { useLinks } from '../../../features/links/api/list-links.ts';
import { flattenLinks } from '../../../features/links/model/link-pages.ts';
import type { LinkTagging, TagFieldProps } from '../../../features/links/model/link-tagging.ts';
import { type SharedTags, useSharedTags } from '../../../features/tags/api/list-shared-tags.ts';
import { TagChips } from '../../../features/tags/components/tag-chips.tsx';
import { TagField } from '../../../features/tags/components/tag-field.tsx';
import { suggestTags } from '../../../features/tags/model/suggest-tags.ts';
import { tagsOfNames } from '../../../features/tags/model/tags-of-names.ts';
import { useOrganiserDialogs } from '../dialogs/organiser-dialogs-context.ts';
import { saveLinkTags } from './save-link-tags.ts';
import { useTagScope } from './use-tag-scope.ts';

/** The tags of the links in a received category, which are its owner's; changed by whoever may write there. */
export function useSharedTagging(categoryId: string, isManual: boolean, mayWrite: boolean): LinkTagging {
  const links = useLinks(categoryId, isManual);
  const ids = useMemo(() => (links.data ? flattenLinks(links.data).map(({ id }) => id) : []), [links.data]);
  const names = useSharedTags(categoryId, ids, links.dataUpdatedAt);
  const writing = useSharedTagWriting(names);
  return useMemo(
    () => ({
      namesOf: ({ id }) => names.get(id) ?? [],
      renderChips: ({ id }) => (
        <TagChips tags={(names.get(id) ?? []).map((name) => ({ name, color: null }))} />
      ),
      own: mayWrite ? writing : null,
    }),
    [names, mayWrite, writing],
  );
}

const NONE: SharedTags = new Map();

/** For a new link in somebody's folder: of their tags none is known yet. */
export function useNewSharedTagging(): LinkTagging {
  const writing = useSharedTagWriting(NONE);
  return useMemo(() => ({ namesOf: () => [], renderChips: () => null, own: writing }), [writing]);
}

function useSharedTagWriting(names: SharedTags): NonNullable<LinkTagging['own']> {
  const { database, queryClient, userId } = useTagScope();
  const ask = useOrganiserDialogs();
  return useMemo(
    () => ({
      renderField: (field) => <SharedTagField {...field} names={names} />,
      save: (linkId, before, after) =>
        saveLinkTags(
          { database, queryClient, userId },
          { linkId, before, after },
          () => void queryClient.invalidateQueries({ queryKey: ['shared-tags'] }),
        ),
      ask: (links, onDone) => ask({ kind: 'tag-links', links, shared: names, onDone }),
    }),
    [names, database, queryClient, userId, ask],
  );
}

function SharedTagField({
  names,
  value,
  onChange,
  url,
  title,
}: TagFieldProps & { readonly names: SharedTags }) {
  const tags = useMemo(() => tagsOfNames(names.values()), [names]);
  return (
    <TagField
      label={TAG_MESSAGES.field}
      value={value}
      onChange={onChange}
      tags={tags}
      suggestions={suggestTags({ url, title }, tags, [], value)}
    />
  );
}
