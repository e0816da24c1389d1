import { createLinkSchema, type LinkInput } from '@linkoteca/domain/library-schemas';
import { readRefusal } from '@linkoteca/domain/read-refusal';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { checkRow } from '../../../shared/lib/check-row.ts';
import { columnsOf, type Link, parseRow } from '../../../shared/lib/rows.ts';
import { useUserId } from '../../../shared/lib/session/session-context.tsx';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';
import type { DatabaseClient } from '../../../shared/lib/supabase/create-database-client.ts';
import { joinOptimisticWrites, recount } from '../../../shared/lib/writes/optimistic-write.ts';
import { useOtherAttempts } from '../../../shared/lib/writes/use-other-attempts.ts';
import { type BeginCountLinks, beginAddLinks, storeLink } from '../model/link-rows.ts';

export interface NewLink extends LinkInput {
  /** Made by the client, so that saving again after a lost answer cannot create a second link. */
  readonly id: string;
}

/**
 * A new link as it is sent.
 * @throws InvalidRow
 */
export function newLinkRow({ id, ...fields }: NewLink, userId: string) {
  return { id, ...checkRow(createLinkSchema, { ...fields, user_id: userId }) };
}

/** A new link as it is shown before it is stored. */
export function showNewLink(link: NewLink, userId: string, now = new Date().toISOString()): Link {
  const shown = parseRow('links', { ...link, user_id: userId, created_at: now, updated_at: now });
  if (shown === null) throw new TypeError('a link without its columns');
  return { ...shown, link_tags: [] };
}

/**
 * Stores a link. One of this id that is already there counts as stored; without its row where it says the same.
 * @param isOther whether what is there may say something else: then it is overwritten.
 * @throws InvalidRow, or the table API's error; P0001 with hint plan_limit_links when the plan is full.
 */
async function createLink(
  database: DatabaseClient,
  userId: string,
  link: NewLink,
  isOther: ReturnType<typeof useOtherAttempts>,
): Promise<{ readonly stored: Link | null; readonly wasThere: boolean }> {
  const row = newLinkRow(link, userId);
  const outdated = isOther(link.id, row);
  const { data, error } = await database
    .from('links')
    .insert(row)
    .select<string, Link>(columnsOf('links'))
    .single();
  if (error === null) return { stored: data, wasThere: false };
  if (readRefusal(error).kind !== 'already_saved') throw error;
  if (!outdated) return { stored: null, wasThere: true };
  const { id, user_id: _owner, ...fields } = row;
  const { data: stored } = await database
    .from('links')
    .update(fields)
    .eq('id', id)
    .select<string, Link>(columnsOf('links'))
    .single()
    .throwOnError();
  return { stored, wasThere: true };
}

/**
 * Creates a link; list and counters show it before the server has answered.
 * @param sentId the id of one that was sent before, elsewhere on the screen.
 */
export function useCreateLink(beginCountLinks: BeginCountLinks, sentId?: string) {
  const database = useDatabase();
  const userId = useUserId();
  const queryClient = useQueryClient();
  const isOther = useOtherAttempts(sentId);
  return useMutation({
    mutationKey: ['links', 'create'],
    mutationFn: (link: NewLink) => createLink(database, userId, link, isOther),
    onMutate: async (link) => {
      return joinOptimisticWrites(
        await beginAddLinks(queryClient, [showNewLink(link, userId)]),
        await beginCountLinks(new Map([[link.category_id, 1]])),
      );
    },
    onSuccess: ({ stored }) => stored && storeLink(queryClient, stored),
    onError: (_error, _link, shown) => shown?.undo(),
    onSettled: (data, _error, _link, shown) => {
      shown?.settle();
      if (data?.wasThere) recount(queryClient, 'categories');
    },
  });
}
