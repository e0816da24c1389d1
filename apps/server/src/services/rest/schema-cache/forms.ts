type Named = { readonly schema: string; readonly name: string };

/** An aggregate that makes a whole answer of rows, because it returns a domain that is named like a media type. */
export type MediaHandler = {
  readonly aggregate: Named;
  /** In lower case; `*\/*` takes every type. */
  readonly mediaType: string;
  /** Whether it returns bytes instead of text. */
  readonly isBytes: boolean;
};

/** What a function returns whose domain is named like a media type. */
export type MediaValue = Pick<MediaHandler, 'mediaType' | 'isBytes'>;

/** In which forms the exposed schemas answer, beyond JSON and CSV. */
export type Forms = {
  /** Of each relation, by the key of the cache's maps. */
  readonly handlers: ReadonlyMap<string, readonly MediaHandler[]>;
  /** Of the rows of any relation. */
  readonly anyRow: readonly MediaHandler[];
  /** PostGIS' function that makes a GeoJSON feature of a row; undefined where there is no PostGIS. */
  readonly toFeature: Named | undefined;
  /** Of each function. */
  readonly values: ReadonlyMap<string, MediaValue>;
  /** Names that Postgres knows, in lower case. */
  readonly timeZones: ReadonlySet<string>;
  /** What is said of each relation, by the key of the cache's maps. */
  readonly relations: ReadonlyMap<string, RelationNotes>;
  /** Of each domain, by its type as columns name it. */
  readonly casts: ReadonlyMap<string, DomainCasts>;
  /** What is said of each schema, by its name. */
  readonly schemas: ReadonlyMap<string, string>;
};

/** What changes of rows a relation takes, whoever asks, and how its columns are described. */
export type RelationNotes = {
  readonly insertable: boolean;
  readonly updatable: boolean;
  readonly deletable: boolean;
  readonly columns: ReadonlyMap<string, ColumnNotes>;
};

export type ColumnNotes = {
  /** The type as descriptions name it: of a domain over a type of Postgres' own, that type. */
  readonly format: string;
  readonly comment: string | undefined;
  /** The labels of an enumeration. */
  readonly labels: readonly string[] | undefined;
  /** Characters. */
  readonly maxLength: number | undefined;
};

export const NO_FORMS: Forms = {
  handlers: new Map(),
  anyRow: [],
  toFeature: undefined,
  values: new Map(),
  timeZones: new Set(),
  relations: new Map(),
  casts: new Map(),
  schemas: new Map(),
};

/** Functions of implicit casts between a domain and what clients write (PostgREST documentation, domain representations). */
export type DomainCasts = {
  /** For answers. */
  readonly toJson?: Named;
  /** For filters. */
  readonly fromText?: Named;
  /** For bodies. */
  readonly fromJson?: Named;
};
