import { UNIQUE_VIOLATION } from './limits.ts';
import { DEFAULT_PLAN, PLANS } from './plans.ts';

/** Why the database refused a write, as far as a screen answers it differently. */
export type Refusal =
  | { readonly kind: 'link_limit'; readonly max: number }
  | { readonly kind: 'category_limit'; readonly max: number }
  /** A folder is shared with as many people as its owner's plan has. */
  | { readonly kind: 'folder_member_limit'; readonly max: number }
  | { readonly kind: 'sharing_gate' }
  /** The plan opens no more of what is shared with the person. */
  | { readonly kind: 'received_limit' }
  /** Somebody on the list left the share and was invited again; the words name them. */
  | { readonly kind: 'share_left'; readonly words: string }
  /** The very row of this client-made id exists: an earlier attempt arrived although its answer was lost. */
  | { readonly kind: 'already_saved' }
  | { readonly kind: 'name_taken' }
  | { readonly kind: 'other' };

interface DatabaseError {
  readonly code?: unknown;
  readonly message?: unknown;
  readonly details?: unknown;
  readonly hint?: unknown;
}

/** Reads an error of the table API (code, message, details, hint); anything else is 'other'. */
export function readRefusal(error: unknown): Refusal {
  if (typeof error !== 'object' || error === null) return { kind: 'other' };
  const { code, message, details, hint } = error as DatabaseError;
  if (code === 'P0001') return readPlanRefusal(hint, details);
  if (hint === 'share_left') return { kind: 'share_left', words: String(message) };
  if (code === UNIQUE_VIOLATION) {
    return /_pkey"/.test(String(message)) ? { kind: 'already_saved' } : { kind: 'name_taken' };
  }
  return { kind: 'other' };
}

function readPlanRefusal(hint: unknown, details: unknown): Refusal {
  switch (hint) {
    case 'plan_limit_links':
      return { kind: 'link_limit', max: readMax(details) ?? PLANS[DEFAULT_PLAN].maxLinks ?? 0 };
    case 'plan_limit_categories':
      return { kind: 'category_limit', max: readMax(details) ?? PLANS[DEFAULT_PLAN].maxCategories ?? 0 };
    case 'plan_limit_folder_members':
      return { kind: 'folder_member_limit', max: readMax(details) ?? PLANS[DEFAULT_PLAN].maxFolderMembers };
    case 'plan_sharing':
      return { kind: 'sharing_gate' };
    case 'plan_limit_shares':
      return { kind: 'received_limit' };
    default:
      return { kind: 'other' };
  }
}

/** The detail is JSON `{"max":20,"plan":"free"}`. */
function readMax(details: unknown): number | null {
  if (typeof details !== 'string') return null;
  try {
    const max: unknown = (JSON.parse(details) as { max?: unknown } | null)?.max;
    return typeof max === 'number' && Number.isInteger(max) && max >= 0 ? max : null;
  } catch {
    return null;
  }
}
