/** The admin area: users on a page, its newest users are as many; links of a user, entries of the record on a page. */
export const ADMIN_PAGE_SIZE = { users: 10, links: 50, audit: 20 } as const;

/** Milliseconds before the lists are read again after a change of plan. Specification, section 4. */
export const PLAN_RELOAD_MS = 1_000;
