/** A public category as `shared_category` answers it. Times are ISO 8601. */
export interface SharedCategory {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly owner_name: string | null;
  readonly link_count: number;
  readonly updated_at: string;
}

/** A link as `shared_links` answers it. */
export interface SharedLink {
  readonly id: string;
  readonly url: string;
  readonly title: string;
  readonly description: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

/** One page of a public category: what is drawn, and what the feeds say. */
export interface SharedPage {
  readonly category: SharedCategory;
  /** Newest first. */
  readonly links: readonly SharedLink[];
  /** Whether there are older links than these. */
  readonly hasOlder: boolean;
  /** The cursor that this page was asked with; null for the newest links. */
  readonly before: string | null;
}

/** Where the page after this link begins: its date and its id, since many may have been born at once. */
export function sharedPageCursor({ created_at, id }: Pick<SharedLink, 'created_at' | 'id'>): string {
  return `${created_at},${id}`;
}

export type SharedView = 'cards' | 'list';

/** Where the page stands and whom its script may ask. */
export interface SharedPageSite {
  /** Origin of the site, without a slash at its end. */
  readonly origin: string;
  /** The key of visitors, for the socket that tells of changes. */
  readonly anonKey: string;
}

/** A drawn page, and what its inline scripts and styles are, for the content-security policy. */
export interface SharedPageRenderer {
  renderPage(page: SharedPage, view: SharedView, site: SharedPageSite): string;
  renderEmbed(page: SharedPage, site: SharedPageSite): string;
  /** For frames whose category is gone. */
  renderMissingEmbed(): string;
  /** For the moments in which the database does not answer. */
  renderUnavailable(): string;
  /** The exact content of every inline script and style that the pages carry. */
  readonly inlineScripts: readonly string[];
  readonly inlineStyles: readonly string[];
}
