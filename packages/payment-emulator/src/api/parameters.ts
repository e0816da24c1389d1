import type { Ledger } from '../ledger/ledger.ts';
import { invalidParameter } from './stripe-failure.ts';

/** Reads the parameters of a request. Each method throws a StripeFailure that names the parameter. */
export type Parameters = {
  has(name: string): boolean;
  text(name: string): string | undefined;
  requiredText(name: string): string;
  integer(name: string): number | undefined;
  flag(name: string): boolean | undefined;
  choice<T extends string>(name: string, choices: readonly T[]): T | undefined;
  /** The parameters inside; undefined when there are none. */
  inner(name: string): Parameters | undefined;
  list(name: string): readonly Parameters[];
  texts(name: string): readonly string[];
  /** Keys and values; an empty value takes the key away (Stripe, "Metadata"). */
  metadata(name?: string): Record<string, string>;
};

const MAX_METADATA_KEYS = 50;
const MAX_METADATA_VALUE = 500;

/** @param prefix the names of the parameters around these, for messages. */
export function readParameters(form: Form, prefix = ''): Parameters {
  const full = (name: string) => (prefix === '' ? name : `${prefix}[${name}]`);
  const text = (name: string): string | undefined => {
    const value = form[name];
    if (value === undefined) return undefined;
    if (typeof value !== 'string') throw invalidParameter(full(name), `Invalid string: ${full(name)}`);
    return value;
  };
  return {
    has: (name) => form[name] !== undefined,
    text,
    requiredText(name) {
      const value = text(name);
      if (value === undefined || value === '')
        throw invalidParameter(full(name), `Missing required param: ${full(name)}.`, 'parameter_missing');
      return value;
    },
    integer(name) {
      const value = text(name);
      if (value === undefined || value === '') return undefined;
      if (!/^-?\d{1,15}$/.test(value))
        throw invalidParameter(full(name), `Invalid integer: ${value}`, 'parameter_invalid_integer');
      return Number(value);
    },
    flag(name) {
      const value = text(name);
      if (value === undefined || value === '') return undefined;
      if (value !== 'true' && value !== 'false')
        throw invalidParameter(full(name), `Invalid boolean: ${value}`);
      return value === 'true';
    },
    choice(name, choices) {
      const value = text(name);
      if (value === undefined) return undefined;
      const chosen = choices.find((choice) => choice === value);
      if (chosen === undefined)
        throw invalidParameter(full(name), `Invalid ${full(name)}: must be one of ${choices.join(', ')}`);
      return chosen;
    },
    inner(name) {
      const value = form[name];
      if (value === undefined || value === '') return undefined;
      if (typeof value === 'string' || Array.isArray(value))
        throw invalidParameter(full(name), `Invalid object: ${full(name)}`);
      return readParameters(value, full(name));
    },
    list(name) {
      const value = form[name];
      if (value === undefined || value === '') return [];
      if (!Array.isArray(value)) throw invalidParameter(full(name), `Invalid array: ${full(name)}`);
      return value.map((item, index) => {
        if (typeof item === 'string' || Array.isArray(item))
          throw invalidParameter(`${full(name)}[${index}]`, `Invalid object: ${full(name)}[${index}]`);
        return readParameters(item, `${full(name)}[${index}]`);
      });
    },
    texts(name) {
      const value = form[name];
      if (value === undefined || value === '') return [];
      const items = Array.isArray(value) ? value : [value];
      return items.map((item) => {
        if (typeof item !== 'string') throw invalidParameter(full(name), `Invalid array: ${full(name)}`);
        return item;
      });
    },
    metadata(name = 'metadata') {
      const value = form[name];
      if (value === undefined || value === '') return {};
      if (typeof value === 'string' || Array.isArray(value))
        throw invalidParameter(full(name), `Invalid object: ${full(name)}`);
      return readMetadata(value, full(name));
    },
  };
}

function readMetadata(form: Form, name: string): Record<string, string> {
  const entries = Object.entries(form).map(([key, value]) => {
    if (typeof value !== 'string' || value.length > MAX_METADATA_VALUE)
      throw invalidParameter(
        `${name}[${key}]`,
        `Metadata values must be strings of up to ${MAX_METADATA_VALUE} characters.`,
      );
    return [key, value] as const;
  });
  if (entries.length > MAX_METADATA_KEYS) throw invalidParameter(name, 'Metadata can have up to 50 keys.');
  return Object.fromEntries(entries);
}

/** Metadata after an update: what is named changes, what is empty goes, the rest stays. */
export function mergeMetadata(
  old: Readonly<Record<string, string>>,
  news: Record<string, string>,
): Record<string, string> {
  return Object.fromEntries(Object.entries({ ...old, ...news }).filter(([, value]) => value !== ''));
}

/** A parameter: text, a list, or parameters of its own. */
type FormValue = string | FormValue[] | { [name: string]: FormValue };
type Form = { [name: string]: FormValue };

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

/** An address that a page may lead back to: complete, and on the web. @throws StripeFailure otherwise. */
export function readReturnUrl(parameters: Parameters, name: string): string {
  const text = parameters.requiredText(name);
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text))
    throw invalidParameter(name, 'Not a valid URL', 'url_invalid');
  return text;
}

const DAY_SECONDS = 86_400;
const MAX_TRIAL_DAYS = 730;

/** When the trial that `trial_period_days` asks for ends, in seconds since 1970; null: there is none. */
export function readTrialEnd(ledger: Ledger, parameters: Parameters): number | null {
  const days = parameters.integer('trial_period_days');
  if (days === undefined) return null;
  if (days < 1 || days > MAX_TRIAL_DAYS)
    throw invalidParameter('trial_period_days', `Trial period days must be between 1 and ${MAX_TRIAL_DAYS}.`);
  return Math.floor(ledger.time) + days * DAY_SECONDS;
}
