import { storageError } from '../storage-error.ts';

/** What the signer of a form lets it do. (Source: AWS, "Creating a POST policy".) */
export type FormPolicy = {
  readonly leastBytes: number;
  readonly mostBytes: number;
};

/** Fields that no condition has to name: a policy cannot name itself. */
const FREE_FIELDS = /^(?:policy|x-amz-signature|x-ignore-.*)$/;

/**
 * Holds a form's fields against the policy that came with them, in Base64: each has to be in a condition, and as it says.
 * @param fields by names in lower case
 * @throws StorageError AccessDenied; InvalidRequest for a policy that cannot be read
 */
export function requireKept(
  policy: string,
  fields: ReadonlyMap<string, string>,
  { bucket, now }: { readonly bucket: string; readonly now: Date },
): FormPolicy {
  const { expiration, conditions } = parse(policy);
  if (!(Date.parse(expiration) > now.getTime())) throw deny('Policy expired.');
  const values = new Map([...fields, ['bucket', fields.get('bucket') ?? bucket]]);
  if (values.get('bucket') !== bucket) throw deny('the bucket is another');
  const named = new Set<string>();
  let sizes: FormPolicy = { leastBytes: 0, mostBytes: Number.POSITIVE_INFINITY };
  for (const condition of conditions.flatMap(unfold)) {
    if (condition.kind === 'content-length-range') {
      sizes = {
        leastBytes: Math.max(sizes.leastBytes, condition.least),
        mostBytes: Math.min(sizes.mostBytes, condition.most),
      };
      continue;
    }
    const { kind, name, wanted } = condition;
    const value = values.get(name) ?? '';
    if (kind === 'eq' ? value !== wanted : !value.startsWith(wanted)) throw deny(`of ${name}`);
    named.add(name);
  }
  const extra = [...values.keys()].find((name) => !FREE_FIELDS.test(name) && !named.has(name));
  if (extra !== undefined) throw deny(`Extra input fields: ${extra}`);
  return sizes;
}

type Condition =
  | { readonly kind: 'eq' | 'starts-with'; readonly name: string; readonly wanted: string }
  | { readonly kind: 'content-length-range'; readonly least: number; readonly most: number };

function parse(policy: string): {
  readonly expiration: string;
  readonly conditions: readonly unknown[];
} {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(policy, 'base64').toString('utf8'));
  } catch {
    throw unreadable();
  }
  const { expiration, conditions } = (value ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof expiration !== 'string' || !Array.isArray(conditions)) throw unreadable();
  return { expiration, conditions };
}

/** `{"name": "value"}`, `["eq" or "starts-with", "$name", "value"]`, `["content-length-range", 1, 2]` */
function unfold(condition: unknown): readonly Condition[] {
  if (typeof condition !== 'object' || condition === null) throw unreadable();
  if (!Array.isArray(condition))
    return Object.entries(condition).map(([name, wanted]) => toComparison('eq', name, wanted));
  const [word, first, second] = condition as readonly unknown[];
  const kind = String(word).toLowerCase();
  if (kind === 'content-length-range') {
    const [least, most] = [Number(first), Number(second)];
    if (!(least >= 0 && most >= least)) throw unreadable();
    return [{ kind, least, most }];
  }
  if ((kind !== 'eq' && kind !== 'starts-with') || typeof first !== 'string' || !first.startsWith('$'))
    throw unreadable();
  return [toComparison(kind, first.slice(1), second)];
}

function toComparison(kind: 'eq' | 'starts-with', name: string, wanted: unknown): Condition {
  if (typeof wanted !== 'string') throw unreadable();
  return { kind, name: name.toLowerCase(), wanted };
}

function deny(what: string) {
  return storageError.accessDenied(`Invalid according to Policy: ${what}`);
}

function unreadable() {
  return storageError.invalidRequest('Invalid Policy: it cannot be read');
}
