import type { ClaimPath } from '../../../kernel/claim-path.ts';
import { ROLE_CLAIM } from '../../../kernel/resolve-caller.ts';
import type { FunctionName, RestConfig } from '../../../kernel/settings.ts';

export type RestSettings = {
  /** Schemas whose relations and functions can be asked for; the first is the default. */
  readonly schemas: readonly string[];
  /** Further schemas in which unqualified names are looked for, after the one that is asked. */
  readonly extraSearchPath: readonly string[];
  /** No answer has more rows, whatever the limit asked for. */
  readonly maxRows: number;
  /** Whether `select=price.sum()` is allowed: it can scan a whole table. */
  readonly aggregates: boolean;
  /** Whether the planner's view of a request is told (`Accept: application/vnd.pgrst.plan`). */
  readonly plans: boolean;
  /** Whether answers say how long each stage took (`Server-Timing`). */
  readonly serverTiming: boolean;
  /** How changes end, and whether `Prefer: tx=…` may say otherwise. */
  readonly txEnd: NonNullable<RestConfig['txEnd']>;
  /** Called as the caller before each request, in its transaction. */
  readonly preRequest: FunctionName | undefined;
  readonly openApiMode: NonNullable<RestConfig['openApiMode']>;
  /** Whether the description says that a token is asked for. */
  readonly openApiSecurity: boolean;
  /** Where the description says that the table API is. */
  readonly openApiAddress: URL | undefined;
  /** The header of a request that its answer repeats, by which a proxy finds the two again in its logs. */
  readonly traceHeader: string | undefined;
  /** Where a token names its role. */
  readonly roleClaim: ClaimPath;
  /** For whom a token must have been made, where it says so. */
  readonly audience: string | undefined;
  /** What SQL reads as `current_setting('app.settings.…')`, by the whole name. */
  readonly appSettings: Readonly<Record<string, string>>;
};

/** As on the hosted platform. */
const DEFAULTS: RestSettings = {
  schemas: ['public'],
  extraSearchPath: ['public', 'extensions'],
  maxRows: 1000,
  aggregates: false,
  plans: false,
  serverTiming: false,
  txEnd: 'commit',
  preRequest: undefined,
  openApiMode: 'follow-privileges',
  openApiSecurity: false,
  openApiAddress: undefined,
  traceHeader: undefined,
  roleClaim: ROLE_CLAIM,
  audience: undefined,
  appSettings: {},
};

/** @param layers the weakest first. */
export function mergeSettings(...layers: readonly RestConfig[]): RestSettings {
  return Object.assign({}, DEFAULTS, ...layers) as RestSettings;
}

/** Whether a request's changes are taken back in the end. @param asked what its `Prefer: tx` says, if it may. */
export function endsInRollback(
  txEnd: RestSettings['txEnd'],
  asked: 'commit' | 'rollback' | undefined,
): boolean {
  return asked === undefined ? txEnd.startsWith('rollback') : asked === 'rollback';
}

export function mayChooseEnd(txEnd: RestSettings['txEnd']): boolean {
  return txEnd.endsWith('-allow-override');
}
