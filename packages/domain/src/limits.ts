/** Lengths in Unicode code points, as Postgres `char_length` counts them. Specification, section 9. */
export const FIELD_LIMITS = {
  folderName: 50,
  categoryName: 50,
  categoryDescription: 200,
  linkTitle: 100,
  linkUrl: 500,
  linkDescription: 1200,
} as const;

/** Characters. Sign-up and reset accept 6, the settings dialog asks for 8: two readings the specification keeps. */
export const PASSWORD_MINIMUM = { account: 6, settings: 8 } as const;

/** Links on the first page of a list. Pages start at 1. */
export const LINK_PAGE_SIZE = 50;

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
