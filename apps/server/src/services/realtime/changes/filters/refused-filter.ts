/** Postgres would refuse the filter. */
export class RefusedFilter extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}
