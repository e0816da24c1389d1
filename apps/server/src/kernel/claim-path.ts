/** The way to one claim of a token, as PostgREST's `jwt-role-claim-key` writes it: `.realm."my roles"[0]`. */
export type ClaimPath = readonly ClaimStep[];

type ClaimStep =
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'index'; readonly index: number }
  /** The first text of a list that compares so: `[?(@ ^== "app_")]`. */
  | { readonly kind: 'filter'; readonly operator: FilterOperator; readonly text: string };

type FilterOperator = '==' | '!=' | '^==' | '==^' | '*==';

const STEP =
  /\.(?:([\p{L}\p{N}_$@]+)|"([^"]*)")|\[(\d{1,9})\]|\[\?\(@ *(==\^|\^==|\*==|==|!=) *"([^"]*)" *\)\]/uy;

/** @returns undefined for what is no path. */
export function parseClaimPath(text: string): ClaimPath | undefined {
  const steps: ClaimStep[] = [];
  let position = 0;
  while (position < text.length) {
    STEP.lastIndex = position;
    const match = STEP.exec(text);
    if (match === null) return undefined;
    position = STEP.lastIndex;
    const [, plain, quoted, index, operator, compared = ''] = match;
    const key = plain ?? quoted;
    if (key !== undefined) steps.push({ kind: 'key', key });
    else if (index !== undefined) steps.push({ kind: 'index', index: Number(index) });
    else steps.push({ kind: 'filter', operator: operator as FilterOperator, text: compared });
  }
  return steps[0]?.kind === 'key' ? steps : undefined;
}

const COMPARE: Readonly<Record<FilterOperator, (value: string, text: string) => boolean>> = {
  '==': (value, text) => value === text,
  '!=': (value, text) => value !== text,
  '^==': (value, text) => value.startsWith(text),
  '==^': (value, text) => value.endsWith(text),
  '*==': (value, text) => value.includes(text),
};

/** @returns what stands at the end of the path; undefined where it leads nowhere. */
export function readClaim(claims: unknown, path: ClaimPath): unknown {
  return path.reduce(takeStep, claims);
}

function takeStep(value: unknown, step: ClaimStep): unknown {
  if (step.kind === 'key')
    return isTable(value) && Object.hasOwn(value, step.key) ? value[step.key] : undefined;
  if (!Array.isArray(value)) return undefined;
  if (step.kind === 'index') return value[step.index];
  return value.find((one) => typeof one === 'string' && COMPARE[step.operator](one, step.text));
}

function isTable(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
