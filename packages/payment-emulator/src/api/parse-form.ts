import { invalidParameter } from './stripe-failure.ts';

/** A parameter: text, a list, or parameters of its own. */
export type FormValue = string | FormValue[] | { [name: string]: FormValue };
export type Form = { [name: string]: FormValue };

const MAX_PARAMETERS = 1000;
const MAX_DEPTH = 6;
const NAME = /^([^[\]]+)((?:\[[^[\]]*\])*)$/;

/**
 * Reads `items[0][price]=…&expand[]=…`, as the SDK sends bodies and queries. Lists come with indices or empty brackets.
 * @throws StripeFailure when a name cannot be read.
 */
export function parseForm(text: string): Form {
  const form: Form = Object.create(null);
  const pairs = [...new URLSearchParams(text)];
  if (pairs.length > MAX_PARAMETERS) throw invalidParameter('', 'Too many parameters.');
  for (const [name, value] of pairs) {
    const [, first = '', rest = ''] = NAME.exec(name) ?? [];
    const path = [first, ...[...rest.matchAll(/\[([^[\]]*)\]/g)].map(([, part = '']) => part)];
    if (first === '' || path.length > MAX_DEPTH)
      throw invalidParameter(name, `Received unknown parameter: ${name}`, 'parameter_unknown');
    put(form, path, value);
  }
  return toLists(form) as Form;
}

/** Brackets become objects without a prototype: names come from outside. */
function put(form: Form, path: readonly string[], value: string): void {
  let place = form;
  for (const name of path.slice(0, -1)) {
    const key = name === '' ? String(Object.keys(place).length) : name;
    const inner = place[key];
    if (typeof inner === 'object' && !Array.isArray(inner)) place = inner;
    else {
      const next: Form = Object.create(null);
      place[key] = next;
      place = next;
    }
  }
  const last = path.at(-1) ?? '';
  place[last === '' ? String(Object.keys(place).length) : last] = value;
}

function toLists(value: FormValue): FormValue {
  if (typeof value === 'string' || Array.isArray(value)) return value;
  const entries = Object.entries(value).map(([name, inner]) => [name, toLists(inner)] as const);
  if (entries.length > 0 && entries.every(([name], index) => name === String(index)))
    return entries.map(([, inner]) => inner);
  const named: Form = Object.create(null);
  for (const [name, inner] of entries) named[name] = inner;
  return named;
}
