/** One look at `/metrics`: when, in seconds, and what it said; no text where nobody answered. */
export type Scrape = { readonly at: number; readonly text: string | undefined };

type Labels = Readonly<Record<string, string>>;
type Sample = { readonly name: string; readonly labels: Labels; readonly value: number };
type Vector = readonly Omit<Sample, 'name'>[];
type Value = number | Vector;

/**
 * Evaluates an alert's expression as Prometheus would, over looks of which the last is now: selectors, `sum`, `rate` and `increase` (from the
 * first look in range to the last), `time()`, arithmetic, comparisons and `or`. `promtool` knows the rest.
 * @returns the labels of what fires.
 * @throws for what it does not understand.
 */
export function evaluateAlert(expression: string, scrapes: readonly Scrape[]): readonly Labels[] {
  const value = parse(expression, readScrapes(scrapes));
  if (typeof value === 'number') throw new Error(`no comparison: ${expression}`);
  return value.map(({ labels }) => labels);
}

type Look = { readonly at: number; readonly samples: readonly Sample[] };

function readScrapes(scrapes: readonly Scrape[]): readonly Look[] {
  return scrapes.map(({ at, text }) => ({
    at,
    samples: [
      { name: 'up', labels: { job: 'linkoteca' }, value: text === undefined ? 0 : 1 },
      ...(text ?? '').split('\n').flatMap(readSample),
    ],
  }));
}

function readSample(line: string): Sample[] {
  const [, name, labels = '', value] = /^([a-z_]\w*)(?:\{(.*)\})? (\S+)$/i.exec(line) ?? [];
  return name === undefined ? [] : [{ name, labels: readLabels(labels), value: Number(value) }];
}

function readLabels(text: string): Labels {
  return Object.fromEntries([...text.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]));
}

const TOKEN = /\s*(\d+(?:\.\d+)?|\w+\{[^}]*\}(?:\[\w+\])?|\w+(?:\[\w+\])?|[<>=!]=|[()<>/*+-])/y;

function parse(expression: string, looks: readonly Look[]): Value {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  for (let end = 0; end < expression.trimEnd().length; end = TOKEN.lastIndex) {
    const [, token] = TOKEN.exec(expression) ?? [];
    if (token === undefined) throw new Error(`not understood from here: ${expression.slice(end)}`);
    tokens.push(token);
  }
  let at = 0;
  const next = () => tokens[at++] ?? '';
  const take = (...wanted: string[]) => (wanted.includes(tokens[at] ?? '') ? next() : undefined);

  const either = (): Value => {
    let value = compared();
    while (take('or')) value = [...asVector(value), ...asVector(compared())];
    return value;
  };
  const compared = (): Value => {
    const left = sum();
    const operator = take('==', '!=', '>=', '<=', '>', '<');
    return operator === undefined ? left : compare(operator, left, sum());
  };
  const sum = (): Value => {
    let value = product();
    for (let sign = take('+', '-'); sign; sign = take('+', '-')) value = combine(sign, value, product());
    return value;
  };
  const product = (): Value => {
    let value = factor();
    for (let sign = take('*', '/'); sign; sign = take('*', '/')) value = combine(sign, value, factor());
    return value;
  };
  const factor = (): Value => {
    const token = next();
    if (/^\d/.test(token)) return Number(token);
    if (token === '(') {
      const value = either();
      next();
      return value;
    }
    if (!take('(')) return select(token, looks);
    if (token === 'time') {
      next();
      return looks.at(-1)?.at ?? 0;
    }
    const value = token === 'sum' ? total(asVector(either())) : grow(token, next(), looks);
    if (next() !== ')') throw new Error(`a bracket is missing: ${expression}`);
    return value;
  };

  const value = either();
  if (at < tokens.length) throw new Error(`not understood: ${tokens.slice(at).join(' ')}`);
  return value;
}

function select(selector: string, looks: readonly Look[], look = looks.at(-1)): Vector {
  const [, name, labels = ''] = /^(\w+)(?:\{(.*)\})?(?:\[\w+\])?$/.exec(selector) ?? [];
  if (name === undefined) throw new Error(`no selector: ${selector}`);
  const matchers = [...labels.matchAll(/(\w+)(=~|=)"([^"]*)"/g)];
  return (look?.samples ?? []).filter(
    (sample) =>
      sample.name === name &&
      matchers.every(([, label = '', kind, wanted = '']) => {
        const value = sample.labels[label] ?? '';
        return kind === '=' ? value === wanted : new RegExp(`^(?:${wanted})$`).test(value);
      }),
  );
}

function grow(kind: string, selector: string, looks: readonly Look[]): Vector {
  if (kind !== 'rate' && kind !== 'increase') throw new Error(`unknown function: ${kind}`);
  const last = looks.at(-1);
  const first = looks.find(({ at }) => at >= (last?.at ?? 0) - readRange(selector));
  const seconds = (last?.at ?? 0) - (first?.at ?? 0);
  const before = select(selector, looks, first);
  return select(selector, looks, last).flatMap(({ labels, value }) => {
    const earlier = before.find((sample) => isSame(sample.labels, labels));
    // A counter that has just appeared began at nothing.
    const increase = value - (earlier?.value ?? 0);
    return [{ labels, value: kind === 'rate' ? increase / seconds : increase }];
  });
}

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };

function readRange(selector: string): number {
  const [, count, unit = ''] = /\[(\d+)([smhd])\]$/.exec(selector) ?? [];
  if (count === undefined) throw new Error(`no range: ${selector}`);
  return Number(count) * (SECONDS[unit] ?? 0);
}

function total(vector: Vector): Vector {
  if (vector.length === 0) return [];
  return [{ labels: {}, value: vector.reduce((sum, { value }) => sum + value, 0) }];
}

function asVector(value: Value): Vector {
  return typeof value === 'number' ? [{ labels: {}, value }] : value;
}

function isSame(left: Labels, right: Labels): boolean {
  const names = new Set([...Object.keys(left), ...Object.keys(right)]);
  return [...names].every((name) => left[name] === right[name]);
}

/** Pairs of equal labels, a number with everything. */
function pair(left: Value, right: Value): readonly (readonly [Labels, number, number])[] {
  if (typeof left === 'number') return asVector(right).map(({ labels, value }) => [labels, left, value]);
  if (typeof right === 'number') return left.map(({ labels, value }) => [labels, value, right]);
  return left.flatMap(({ labels, value }) => {
    const other = right.find((sample) => isSame(sample.labels, labels));
    return other ? [[labels, value, other.value] as const] : [];
  });
}

const ARITHMETIC: Readonly<Record<string, (left: number, right: number) => number>> = {
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': (left, right) => left / right,
};
const COMPARISONS: Readonly<Record<string, (left: number, right: number) => boolean>> = {
  '==': (left, right) => left === right,
  '!=': (left, right) => left !== right,
  '>': (left, right) => left > right,
  '<': (left, right) => left < right,
  '>=': (left, right) => left >= right,
  '<=': (left, right) => left <= right,
};

function combine(sign: string, left: Value, right: Value): Value {
  const apply = ARITHMETIC[sign] ?? (() => Number.NaN);
  if (typeof left === 'number' && typeof right === 'number') return apply(left, right);
  return pair(left, right).map(([labels, one, other]) => ({ labels, value: apply(one, other) }));
}

function compare(operator: string, left: Value, right: Value): Vector {
  const holds = COMPARISONS[operator] ?? (() => false);
  return pair(left, right)
    .filter(([, one, other]) => holds(one, other))
    .map(([labels, value]) => ({ labels, value }));
}
