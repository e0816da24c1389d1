/** What a page says of itself, cut to what fits into a link; null where it does not say it. */
export type PageText = { readonly title: string | null; readonly description: string | null };

/**
 * Opens a page for a person. @returns undefined where the address may not be opened, is no page, does not answer in time, or where the
 * person has asked for too many in this minute. Never rejects.
 */
export type ReadPage = (userId: string, url: string) => Promise<PageText | undefined>;
