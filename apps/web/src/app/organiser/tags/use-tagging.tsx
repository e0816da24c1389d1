import { TAG_MESSAGES } from '@linkoteca/domain/messages/tag-messages';
import { tagQuestion } from '@linkoteca/domain/tags';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { LinkTagging, TagFieldProps } from '../../../features/links/model/link-tagging.ts';
import { listCachedLinks } from '../../../features/links/model/list-cached-links.ts';
import { retagCachedLinks } from '../../../features/links/model/retag-links.ts';
import { useTags } from '../../../features/tags/api/list-tags.ts';
import { TagChips } from '../../../features/tags/components/tag-chips.tsx';
import { TagField } from '../../../features/tags/components/tag-field.tsx';
import { suggestTags } from '../../../features/tags/model/suggest-tags.ts';
import { byName, type Tag } from '../../../features/tags/model/tag-rows.ts';
import type { Link } from '../../../shared/lib/rows.ts';
import { useOrganiserDialogs } from '../dialogs/organiser-dialogs-context.ts';
import { useLibrary } from '../use-library.ts';
import { saveLinkTags } from './save-link-tags.ts';
import { useTagScope } from './use-tag-scope.ts';

const NONE: readonly Tag[] = [];

/** What lists and forms of the person's own links do with tags. */
export function useTagging(): LinkTagging {
  const scope = useTagScope();
  const { database, queryClient, userId } = scope;
  const tags = useTags().data ?? NONE;
  const ask = useOrganiserDialogs();
  const navigate = useNavigate();

  return useMemo(() => {
    const byId = new Map(tags.map((tag) => [tag.id, tag]));
    const tagsOf = (link: Link) =>
      (link.link_tags ?? []).flatMap(({ tag_id }) => byId.get(tag_id) ?? []).toSorted(byName);
    const search = (name: string) =>
      void navigate({ to: '/search', search: { q: tagQuestion(name), page: 1 } });
    return {
      namesOf: (link) => tagsOf(link).map(({ name }) => name),
      renderChips: (link) =>
        link.link_tags?.length ? <TagChips tags={tagsOf(link)} onPress={search} /> : null,
      own: {
        renderField: (field) => <LinkTagField {...field} />,
        save: (linkId, before, after) =>
          saveLinkTags({ database, queryClient, userId }, { linkId, before, after }, (tagged) =>
            retagCachedLinks(queryClient, tagged),
          ),
        ask: (links, onDone) => ask({ kind: 'tag-links', links, shared: null, onDone }),
      },
    };
  }, [tags, database, queryClient, userId, ask, navigate]);
}

/** The tags of a link whose form is open, with what fits its address and title. */
function LinkTagField({ value, onChange, url, title }: TagFieldProps) {
  const tags = useTags().data ?? NONE;
  const queryClient = useQueryClient();
  const { categories } = useLibrary();
  const suggestions = useMemo(() => {
    const own = listCachedLinks(queryClient, new Set(categories.map(({ id }) => id))).flat();
    return suggestTags({ url, title }, tags, own, value);
  }, [queryClient, categories, url, title, tags, value]);
  return (
    <TagField
      label={TAG_MESSAGES.field}
      value={value}
      onChange={onChange}
      tags={tags}
      suggestions={suggestions}
    />
  );
}
