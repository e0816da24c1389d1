import { useMemo } from 'react';
import { useLinks } from '../../../features/links/api/list-links.ts';
import { flattenLinks } from '../../../features/links/model/link-pages.ts';
import type { LinkTagging } from '../../../features/links/model/link-tagging.ts';
import { useSharedTags } from '../../../features/tags/api/list-shared-tags.ts';
import { TagChips } from '../../../features/tags/components/tag-chips.tsx';

/** The tags that the owner of a received category gave its links: to be read, no more. */
export function useSharedTagging(categoryId: string, isManual: boolean): LinkTagging {
  const links = useLinks(categoryId, isManual);
  const ids = useMemo(() => (links.data ? flattenLinks(links.data).map(({ id }) => id) : []), [links.data]);
  const names = useSharedTags(categoryId, ids, links.dataUpdatedAt);
  return useMemo(
    () => ({
      namesOf: ({ id }) => names.get(id) ?? [],
      renderChips: ({ id }) => (
        <TagChips tags={(names.get(id) ?? []).map((name) => ({ name, color: null }))} />
      ),
      own: null,
    }),
    [names],
  );
}
