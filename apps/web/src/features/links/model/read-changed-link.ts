import type { Link } from '@linkoteca/domain/entities';
import type { ChangedRow } from '../../../shared/lib/realtime/table-change.ts';

/** A link of what a change tells, filled up from what is known of it; null when too much is missing. */
export function readChangedLink(row: ChangedRow, known: Link | undefined): Link | null {
  const { id, url, title, description, category_id, user_id, created_at, updated_at } = { ...known, ...row };
  const texts = [id, url, title, category_id, user_id, created_at, updated_at];
  if (!texts.every((value) => typeof value === 'string')) return null;
  return {
    id,
    url,
    title,
    description: description ?? null,
    category_id,
    user_id,
    created_at,
    updated_at,
  } as Link;
}
