import { describeTotal } from '@linkoteca/domain/messages/search-messages';
import { tagQuestion } from '@linkoteca/domain/tags';
import { useNavigate } from '@tanstack/react-router';
import { Tag } from 'lucide-react';
import { useMemo } from 'react';
import type { SearchCommand } from '../../../features/search/model/search-extras.ts';
import { useTags } from '../../../features/tags/api/list-tags.ts';

/** One's own tags, those of most links first: each shows the links that have it. */
export function useTagMatches(): readonly SearchCommand[] {
  const tags = useTags().data;
  const navigate = useNavigate();
  return useMemo(
    () =>
      (tags ?? [])
        .toSorted((one, other) => other.link_count - one.link_count)
        .map(({ id, name, link_count }) => ({
          id,
          label: name,
          hint: describeTotal(link_count),
          icon: <Tag />,
          run: () => void navigate({ to: '/search', search: { q: tagQuestion(name), page: 1 } }),
        })),
    [tags, navigate],
  );
}
