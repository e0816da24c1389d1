import { useMemo } from 'react';
import type { Place } from '../../../features/search/model/find-places.ts';
import { useReceivedAccess } from '../received/use-received-access.ts';

type SharePlace = Place & { readonly label: string; readonly synonyms: string };

/** What others share and the plan opens, found by its name or by theirs; `key` says which. */
export function useOpenShares(): { readonly places: readonly SharePlace[]; readonly key: string } {
  const { shares, accessOf } = useReceivedAccess();
  const open = shares.filter(({ id }) => accessOf(id) === 'open');
  const content = open.map(({ id, name, ownerName }) => `${id} ${name} ${ownerName}`).join('\n');
  // biome-ignore lint/correctness/useExhaustiveDependencies: their content says it all
  const places = useMemo(
    () =>
      open.map(
        ({ id, name, ownerName }): SharePlace => ({
          id,
          kind: 'share',
          name,
          label: name,
          synonyms: ownerName ?? '',
          folderName: ownerName ?? '',
          folderId: '',
          categoryId: id,
        }),
      ),
    [content],
  );
  return { places, key: open.map(({ id }) => id).join(' ') };
}
