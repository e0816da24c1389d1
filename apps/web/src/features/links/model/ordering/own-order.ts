/** Links that shall stand somewhere else in the order of their category. */
export interface LinkPlacing {
  /** From the top down, as they shall stand. */
  readonly ids: readonly string[];
  /** The link above which they go; null: below all. */
  readonly beforeId: string | null;
  /** By a key or a menu one goes step by step: what is said of it must not get in the way. */
  readonly step: boolean;
}

/** The order that a category has of its own. */
export interface OwnOrder {
  readonly on: boolean;
  /** Gives the category its own order, or lays it aside. Null where the category is someone else's. */
  readonly set: ((on: boolean) => void) | null;
  readonly place: ((placing: LinkPlacing) => void) | null;
}
