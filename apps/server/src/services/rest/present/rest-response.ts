/** An answer ready to be written. Header names are lower-case; a list makes several headers of one name. */
export type RestResponse = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: string | undefined;
};
