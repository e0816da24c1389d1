import { COVER_LIMITS } from '@linkoteca/domain/cover-limits';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { DatabaseClient } from '../../../../shared/lib/supabase/create-database-client.ts';

/** What is known of a link's cover; `unknown` where nobody has asked yet. */
export interface Cover {
  readonly state: 'unknown' | 'image' | 'none' | 'removed';
  /** The name of its file in the bucket of people's files. */
  readonly path: string | null;
  readonly triedAt: string | null;
}

const UNKNOWN: Cover = { state: 'unknown', path: null, triedAt: null };

/** The links of one question, with those who wait for its answer. */
interface Batch {
  readonly ids: Set<string>;
  readonly answer: Promise<ReadonlyMap<string, Cover>>;
}

const batches = new WeakMap<DatabaseClient, Map<string, Batch>>();
const MOST_AT_ONCE = 200;

/** Asks for all links of a category that come into sight in one moment together. */
async function readCover(database: DatabaseClient, categoryId: string, linkId: string): Promise<Cover> {
  const open = batches.get(database) ?? new Map<string, Batch>();
  batches.set(database, open);
  let batch = open.get(categoryId);
  if (batch === undefined) {
    const ids = new Set<string>();
    const close = () => open.get(categoryId)?.ids === ids && open.delete(categoryId);
    batch = {
      ids,
      answer: nextMoment()
        .then(close)
        .then(() => readCovers(database, categoryId, [...ids])),
    };
    open.set(categoryId, batch);
  }
  batch.ids.add(linkId);
  if (batch.ids.size === MOST_AT_ONCE) open.delete(categoryId);
  return (await batch.answer).get(linkId) ?? UNKNOWN;
}

const nextMoment = () => new Promise((resolve) => setTimeout(resolve, 0));

async function readCovers(
  database: DatabaseClient,
  categoryId: string,
  linkIds: readonly string[],
): Promise<ReadonlyMap<string, Cover>> {
  const { data } = await database
    .rpc('category_covers', { category_id: categoryId, link_ids: [...linkIds] })
    .throwOnError();
  return new Map(
    (data ?? []).map(({ link_id, state, path, tried_at }) => [
      link_id,
      { state: state as Cover['state'], path, triedAt: tried_at },
    ]),
  );
}

export interface CoverOf {
  readonly categoryId: string;
  readonly linkId: string;
  /** Another address has another page, and another cover. */
  readonly url: string;
}

/** The cached question after the cover of one link. */
export function coverQuery(database: DatabaseClient, queryClient: QueryClient, of: CoverOf) {
  return queryOptions({
    queryKey: coverKey(of),
    queryFn: async () => {
      // A link that is on its way has no cover yet, one that is being changed still that of its former page.
      await linksSettled(queryClient);
      return readCover(database, of.categoryId, of.linkId);
    },
    staleTime: 5 * 60_000,
  });
}

export function coverKey({ categoryId, linkId, url }: CoverOf) {
  return ['link-covers', categoryId, linkId, url] as const;
}

/** Whether a page is asked for its image: nobody has, or it had none long ago. */
export function isDue({ state, triedAt }: Cover, now: number): boolean {
  if (state !== 'none') return state === 'unknown';
  return now - Date.parse(triedAt ?? '') > COVER_LIMITS.askAgainDays * 86_400_000;
}

/** When nothing is being written to links any more. */
export function linksSettled(queryClient: QueryClient): Promise<void> {
  const isBusy = () => queryClient.isMutating({ mutationKey: ['links'] }) > 0;
  if (!isBusy()) return Promise.resolve();
  return new Promise((resolve) => {
    const stop = queryClient.getMutationCache().subscribe(() => {
      if (isBusy()) return;
      stop();
      resolve();
    });
  });
}
