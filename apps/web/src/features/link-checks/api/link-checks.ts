import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useUserId } from '../../../shared/lib/session/session-context.tsx';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';

/** How far looking at the person's links has come. */
export interface LinkChecks {
  readonly total: number;
  readonly checked: number;
  readonly broken: number;
  /** When every link of the last round had been looked at; null in the first one. */
  readonly ended_at: string | null;
}

const checksKey = (userId: string) => ['link-checks', userId] as const;

/** Whether the person's links are looked at, and how far that has come; null where it is off. */
export function useLinkChecks() {
  const database = useDatabase();
  const userId = useUserId();
  return useQuery({
    queryKey: checksKey(userId),
    queryFn: async ({ signal }): Promise<LinkChecks | null> => {
      const { data } = await database.rpc('link_checks').abortSignal(signal).throwOnError();
      return data[0] ?? null;
    },
    // It goes on by itself, and is told by nobody.
    staleTime: 0,
  });
}

/** Turns it on or off; off forgets what is known. */
export function useSetLinkChecks() {
  const database = useDatabase();
  const queryClient = useQueryClient();
  const userId = useUserId();
  return useMutation({
    mutationKey: ['link-checks', 'set'],
    mutationFn: async (enabled: boolean) => {
      await database.rpc('set_link_checks', { enabled }).throwOnError();
    },
    onSettled: () =>
      Promise.all(
        [checksKey(userId), ['search'], ['search-totals']].map((queryKey) =>
          queryClient.invalidateQueries({ queryKey }),
        ),
      ),
  });
}

/** What is known of a broken link. */
export interface BrokenLink {
  readonly link_id: string;
  readonly failed_since: string;
  /** What its site says, as HTTP has it; null where nobody answers. */
  readonly status: number | null;
}

const NONE: ReadonlyMap<string, BrokenLink> = new Map();

/** Which of these links are broken, by id. @param linkIds at most a page of them; none asks nothing. */
export function useBrokenLinks(linkIds: readonly string[]): ReadonlyMap<string, BrokenLink> {
  const database = useDatabase();
  const { data } = useQuery({
    queryKey: [...checksKey(useUserId()), 'broken', linkIds],
    queryFn: async ({ signal }) => {
      const { data: broken } = await database
        .rpc('broken_links', { link_ids: [...linkIds] })
        .abortSignal(signal)
        .throwOnError();
      return new Map<string, BrokenLink>(broken.map((link) => [link.link_id, link]));
    },
    enabled: linkIds.length > 0,
    // A mark less, and nothing is missing.
    retry: false,
    staleTime: 0,
  });
  return data ?? NONE;
}
