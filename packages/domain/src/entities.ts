/** Rows as the table API gives them. Times are ISO 8601 in UTC. */
export interface Folder {
  readonly id: string;
  readonly name: string;
  readonly user_id: string;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface Category {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly folder_id: string;
  readonly user_id: string;
  readonly is_public: boolean;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface Link {
  readonly id: string;
  readonly url: string;
  readonly title: string;
  readonly description: string | null;
  readonly category_id: string;
  readonly user_id: string;
  readonly created_at: string;
  readonly updated_at: string;
}

/** One row of `search_links`. */
export interface SearchResult {
  readonly id: string;
  readonly title: string;
  readonly description: string | null;
  readonly url: string;
  readonly category_id: string;
  readonly category_name: string | null;
}
