/**
 * Bounds that no person meets and that keep one account from filling an installation: what a plan calls unlimited ends here. The
 * database refuses what is more (`private.most`, its twin, checked against this by a test) and says so in words.
 */
export const TECHNICAL_BOUNDS = {
  folders: 10_000,
  /** Addresses on one folder. */
  folder_emails: 100,
  categories: 10_000,
  links: 1_000_000,
  /** Invited addresses of one person, in all their categories together. */
  invitations: 10_000,
  /** Rows that are kept for 'Desfazer' behind the last deletion, which is always kept whole. */
  undo_rows: 100_000,
  /** Parts of imports that can be taken back. */
  import_parts: 10_000,
  files: 10_000,
  file_name_bytes: 1024,
  file_note_bytes: 10_000,
} as const;

/** Sessions of one person; the one used longest ago ends. Kept by the server's own tables, not by the product's. */
export const SESSIONS_PER_PERSON = 200;
