/** A function as the hosted platform runs them: web-standard, one call a request. */
export type FunctionHandler = (request: Request) => Promise<Response>;

export type FunctionDefinition = {
  readonly handler: FunctionHandler;
  /** Whether callers without a valid token or key are refused before the function hears of them (`verify_jwt`). */
  readonly verifyJwt: boolean;
  /** Calls a person may make; counted by the token's `sub`. */
  readonly limit?: { readonly calls: number; readonly seconds: number };
  /** Calls that run at the same time in this process, and that wait for their turn. */
  readonly room?: { readonly atOnce: number; readonly waiting: number };
};

/** By the name in the address: `/functions/v1/NAME`. */
export type Functions = Readonly<Record<string, FunctionDefinition>>;
