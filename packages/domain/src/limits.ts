/** Lengths in Unicode code points, as Postgres `char_length` counts them. Specification, section 9. */
export const FIELD_LIMITS = {
  folderName: 50,
  categoryName: 50,
  categoryDescription: 200,
  linkTitle: 100,
  linkUrl: 500,
  linkDescription: 1200,
  /** The line with which somebody asks for access (`private.access_requests`). */
  requestNote: 280,
} as const;

/** Characters. Sign-up and reset accept 6, the settings dialog asks for 8: two readings the specification keeps. */
export const PASSWORD_MINIMUM = { account: 6, settings: 8 } as const;

/** Characters. bcrypt reads no further than 72 bytes: longer ones could not be carried to a hosted project. */
export const PASSWORD_MAXIMUM = 72;

/** Links on the first page of a list. Pages start at 1. */
export const LINK_PAGE_SIZE = 50;

/** From so many links on a category can be filtered and ordered: fewer are seen at a glance. */
export const ARRANGEABLE_FROM = 8;

/** Ids that the functions for many rows take at once; more are refused by the database. */
export const IDS_PER_CALL = 20_000;

export const SEARCH = {
  /** Milliseconds of silence before a term is searched. */
  debounceMs: 300,
  /** Results in the top bar's dropdown. */
  quickLimit: 10,
  /** Results the search service ever returns. */
  serviceCap: 50,
} as const;

/** Counting what a search finds ends here: of a thousand it is no longer interesting how many (`public.count_links_by`). */
export const MOST_COUNTED = 1_000;

/** Categories on the dashboard. */
export const RECENT_CATEGORIES = 6;

/** The limit banner shows while this many links or fewer remain. */
export const LIMIT_BANNER_REMAINING = 2;

/** Postgres SQLSTATE of a unique violation. */
export const UNIQUE_VIOLATION = '23505';

/** Query cache, milliseconds. Specification, section 7 'Handling of answers' and section 9. */
export const CACHE_MS = {
  fresh: 60_000,
  kept: 600_000,
  planLimits: 300_000,
  ownerName: 86_400_000,
  sharedListRefresh: 10_000,
  linkCountRefresh: 15_000,
  accessPoll: 3_000,
} as const;

/** Delays a person can perceive, milliseconds. Specification, section 9. */
export const DELAY_MS = {
  guardWait: 3_000,
  guardToast: 4_000,
  toast: 4_000,
  /** As long as 'Desfazer' is offered. */
  undoToast: 10_000,
  signOutRedirect: 500,
  changePasswordRedirect: 2_000,
  checkoutRedirect: 500,
  subscriptionCheck: 2_000,
  realtimeBadge: 3_000,
  adminNotice: 5_000,
} as const;

/** The change feed. Specification, section 9 'Realtime'. */
export const REALTIME = {
  heartbeatMs: 30_000,
  /** Milliseconds before the first, second … attempt to connect again; the last one goes on for ever. */
  reconnectMs: [1_000, 2_000, 5_000, 10_000],
  eventsPerSecond: 10,
} as const;

/**
 * Bounds that no person meets and that keep one account from filling an installation: what a plan calls unlimited ends here. The
 * database refuses what is more (`private.most`, its twin) and says so in words.
 */
export const TECHNICAL_BOUNDS = {
  folders: 10_000,
  /** Addresses on one folder. */
  folder_emails: 100,
  categories: 10_000,
  links: 1_000_000,
  /** Starred links and categories of one person. */
  favorites: 1_000,
  /** Questions that one person keeps in the sidebar. */
  saved_searches: 100,
  /** Invited addresses of one person, in all their categories together. */
  invitations: 10_000,
  /** Groups of one person. */
  groups: 100,
  /** Addresses in one group. */
  group_emails: 500,
  /**
   * Rows in a person's bin behind their last deletion, which is always kept whole: beyond them the oldest goes. A row counts as one more
   * for every thousand bytes in it.
   */
  bin_rows: 100_000,
  /** Rows that programs changed in a library, kept for undoing: beyond them the oldest acts go. They count as those of the bin. */
  act_rows: 100_000,
  /** Rows of one act of a program; one that has more cannot be undone. */
  rows_of_act: 20_000,
  /** Parts of imports that can be taken back. */
  import_parts: 10_000,
  files: 10_000,
  file_name_bytes: 1024,
  file_note_bytes: 10_000,
} as const;

/** What was deleted can be restored for so many days (the default of `private.deletions.purge_after`). */
export const BIN_DAYS = 30;

/** Deletions on a page of the bin. */
export const BIN_PAGE_SIZE = 50;

/** Sessions of one person; the one used longest ago ends. Kept by the server's own tables, not by the product's. */
export const SESSIONS_PER_PERSON = 200;

/** The admin area: users on a page, its newest users are as many; links of a user, entries of the record on a page. */
export const ADMIN_PAGE_SIZE = { users: 10, links: 50, audit: 20 } as const;

/** Milliseconds before the lists are read again after a change of plan. Specification, section 4. */
export const PLAN_RELOAD_MS = 1_000;

/** Days from the first payment in which it is given back in full (specification, section 9). */
export const REFUND_DAYS = 14;

/**
 * Milliseconds before each re-check after a payment: immediately, after 2 s, after 3 s more (specification, section 4).
 * The provider's event usually arrives before the second.
 */
export const RECHECK_PAUSES_MS = [0, 2_000, 3_000] as const;

/** Importing bookmark files. */
export const IMPORT_LIMITS = {
  /** Bytes of a file that is read at all: browsers put a picture into each line. */
  fileBytes: 100_000_000,
  /** Links of one file. */
  links: 100_000,
  /** Links of one call: each is one transaction, and a slow phone sends it in seconds. The database takes 1,000. */
  linksPerPart: 500,
  /** UTF-8 bytes of one call, a quarter of what the service takes. */
  bytesPerPart: 250_000,
  /** Hours in which an import can be taken back. */
  undoHours: 24,
} as const;
