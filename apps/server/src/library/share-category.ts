import { type SharingMode, sharingModeOf } from '@linkoteca/domain/sharing';
import type { Library } from './library.ts';

/** How a category is to be shared. */
export type WishedSharing = {
  readonly categoryId: string;
  readonly mode: SharingMode;
  /** Addresses to invite and to take off the list, where `mode` is restricted; whoever is not named stays on it. */
  readonly added: readonly string[];
  readonly removed: readonly string[];
};

/** How a category was shared and how it is now. Addresses in lower case. */
export type SharedCategory = {
  readonly id: string;
  readonly name: string;
  readonly before: SharingMode;
  readonly now: SharingMode;
  /** The whole list, earliest first. */
  readonly emails: readonly string[];
  readonly invited: readonly string[];
  readonly uninvited: readonly string[];
  /** Whether members of its folder see it however it is shared itself. */
  readonly isSeenByMembers: boolean;
};

/** The person took somebody off the list in the same moment: nothing has changed, and whoever calls again starts from their list. */
export class SharingConflict extends Error {}

type SharingRow = {
  readonly id: string;
  readonly name: string;
  readonly is_public: boolean;
  readonly emails: readonly string[];
  readonly own_email: string | null;
  readonly is_seen_by_members: boolean;
};

/**
 * Shares a category of the person's own, read-only, or ends that: as the screen does, by `save_sharing`, which also queues the mails to whoever
 * is invited.
 * @returns undefined where there is no such category of the person's own; `'nobody'`, and nothing has changed, where a list was asked for with
 * nobody on it
 * @throws SharingConflict
 * @throws pg.DatabaseError `P0001` where the plan does not share or has no room, `PT400` for what is no address or too many, `PT409` for somebody
 * who left
 */
export async function shareCategory(
  library: Library,
  wish: WishedSharing,
): Promise<SharedCategory | 'nobody' | undefined> {
  return library.inTransaction(async (within) => {
    // Calls of one program come side by side: each starts from the list that the other left. Screens do not ask for this lock.
    await within.write({
      name: 'library_lock_sharing',
      text: `select pg_advisory_xact_lock(hashtextextended('library_sharing ' || (select auth.uid()) || ' ' || $1::uuid, 0))`,
      values: [wish.categoryId],
    });
    const row = await readSharing(within, wish.categoryId);
    if (row === undefined) return undefined;
    const list = planList(row, wish);
    if (wish.mode === 'restricted' && list.length === 0 && isWithoutList(row, wish)) return 'nobody';
    const { rows } = await within.write<{ emails: readonly string[]; added: readonly string[] }>({
      name: 'library_share_category',
      text: `select array(select jsonb_array_elements_text(s.saved -> 'emails')) as emails,
          array(select jsonb_array_elements_text(s.saved -> 'added')) as added
        from (select public.save_sharing($1, $2, $3) as saved) as s`,
      values: [row.id, wish.mode === 'public', list],
    });
    const { emails, added } = rows[0] ?? { emails: [], added: [] };
    const wished = new Set(wish.added.map(fold));
    if (added.some((email) => !wished.has(email))) throw new SharingConflict();
    return {
      id: row.id,
      name: row.name,
      before: modeOf(row),
      now: modeOf({ is_public: wish.mode === 'public', emails }),
      emails,
      invited: added,
      uninvited: row.emails.filter((email) => !emails.includes(email)),
      isSeenByMembers: row.is_seen_by_members,
    };
  });
}

async function readSharing(library: Library, categoryId: string): Promise<SharingRow | undefined> {
  const { rows } = await library.read<SharingRow>({
    name: 'library_read_sharing',
    text: `select c.id, c.name, c.is_public, lower(auth.email()) as own_email,
        array(select s.email from public.shared_with s where s.category_id = c.id order by s.created_at, s.email) as emails,
        not c.is_held_back and exists (select from public.folder_members m where m.folder_id = c.folder_id) as is_seen_by_members
      from public.categories c where c.id = $1 and c.user_id = (select auth.uid())`,
    values: [categoryId],
  });
  return rows[0];
}

/** The list as it shall be: whoever is on it and is not taken off, and then whoever is new. The person themselves is on no list. Pure. */
function planList({ emails, own_email }: SharingRow, { mode, added, removed }: WishedSharing): string[] {
  if (mode !== 'restricted') return [];
  const gone = new Set(removed.map(fold));
  const kept = emails.filter((email) => !gone.has(email));
  return [...new Set([...kept, ...added.map(fold)])].filter((email) => email !== own_email);
}

/** Whether there is nobody to take off a list: an empty one would then close a public page, or change nothing, by mistake. Pure. */
function isWithoutList({ is_public, emails }: SharingRow, { removed }: WishedSharing): boolean {
  return is_public || (emails.length === 0 && removed.length === 0);
}

/** As the list keeps an address. */
function fold(email: string): string {
  return email.trim().toLowerCase();
}

function modeOf({
  is_public,
  emails,
}: {
  readonly is_public: boolean;
  readonly emails: readonly string[];
}): SharingMode {
  return sharingModeOf({ is_public, is_restricted: emails.length > 0 });
}
