import { useMemo } from 'react';
import type { Place } from '../../../features/search/model/find-places.ts';
import { useReceivedAccess } from '../received/use-received-access.ts';

type SharePlace = Place & { readonly label: string; readonly synonyms: string };

/** What others share and the plan opens, found by its name or by theirs; `key` changes with it. */
export function useOpenShares(): { readonly places: readonly SharePlace[]; readonly key: string } {
  const { shares, accessOf } = useReceivedAccess();
  const open = shares.filter(({ id }) => accessOf(id) === 'open');
  const key = open.map(({ id, name, ownerName }) => `${id} ${name} ${ownerName}`).join('\n');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key says it all
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
    [key],
  );
  return { places, key };
}
