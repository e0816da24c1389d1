/**
 * Where in a document a value would stand, and so how it has to be escaped.
 * (Source: Go, `html/template`, of which this keeps what mails need and refuses the rest.)
 */
export type HtmlContext =
  /** Between tags. */
  | { readonly kind: 'text' }
  /** Inside a tag, not in a value. */
  | { readonly kind: 'tag'; readonly element: string; readonly attribute: string }
  | {
      readonly kind: 'value';
      readonly element: string;
      readonly attribute: string;
      readonly quote: '"' | "'";
      /** Of an address: what stands before. */
      readonly address?: 'nothing' | 'path' | 'query';
    }
  | { readonly kind: 'comment' }
  /** A script or style sheet. */
  | { readonly kind: 'raw'; readonly element: string };

export const TEXT: HtmlContext = { kind: 'text' };

const ADDRESSES = new Set(['href', 'src', 'action', 'formaction', 'background', 'cite', 'poster', 'data']);
const RAW_ELEMENTS = new Set(['script', 'style']);

/** Reads a piece of a document that has no values in it. @returns where it ends */
export function readHtml(start: HtmlContext, html: string): HtmlContext {
  let context = start;
  let rest = html;
  while (rest !== '') [context, rest] = STEPS[context.kind](context as never, rest);
  return context;
}

type Step<K extends HtmlContext['kind']> = (
  context: Extract<HtmlContext, { kind: K }>,
  html: string,
) => readonly [HtmlContext, string];

const STEPS: { readonly [K in HtmlContext['kind']]: Step<K> } = {
  text(context, html) {
    const at = html.search(/<!--|<\/?[A-Za-z]/);
    if (at === -1) return [context, ''];
    const found = html.slice(at);
    if (found.startsWith('<!--')) return [{ kind: 'comment' }, found.slice(4)];
    const [whole, slash = '', name = ''] = /^<(\/?)([A-Za-z][^\s/>]*)/.exec(found) ?? [found];
    const element = `${slash}${name.toLowerCase()}`;
    return [{ kind: 'tag', element, attribute: '' }, found.slice(whole.length)];
  },
  tag(context, html) {
    const { element } = context;
    if (html.startsWith('>'))
      return [RAW_ELEMENTS.has(element) ? { kind: 'raw', element } : TEXT, html.slice(1)];
    const [quoted, quote] = /^=\s*(["'])/.exec(html) ?? [];
    if (quoted !== undefined && (quote === '"' || quote === "'") && context.attribute !== '')
      return [openValue(element, context.attribute, quote), html.slice(quoted.length)];
    const [name] = /^[^\s"'<>/=]+/.exec(html) ?? [];
    if (name !== undefined)
      return [{ kind: 'tag', element, attribute: name.toLowerCase() }, html.slice(name.length)];
    return [context, html.slice(1)];
  },
  value(context, html) {
    const end = html.indexOf(context.quote);
    const value = end === -1 ? html : html.slice(0, end);
    if (end !== -1) return [{ kind: 'tag', element: context.element, attribute: '' }, html.slice(end + 1)];
    return [continueAddress(context, value), ''];
  },
  comment(context, html) {
    const end = html.indexOf('-->');
    return end === -1 ? [context, ''] : [TEXT, html.slice(end + 3)];
  },
  raw(context, html) {
    const end = html.toLowerCase().indexOf(`</${context.element}`);
    return end === -1 ? [context, ''] : [TEXT, html.slice(end)];
  },
};

function openValue(element: string, attribute: string, quote: '"' | "'"): HtmlContext {
  const value = { kind: 'value', element, attribute, quote } as const;
  return ADDRESSES.has(attribute) ? { ...value, address: 'nothing' } : value;
}

function continueAddress(context: Extract<HtmlContext, { kind: 'value' }>, written: string): HtmlContext {
  if (context.address === undefined || written === '') return context;
  if (context.address === 'query' || /[?#]/.test(written)) return { ...context, address: 'query' };
  return written.trim() === '' ? context : { ...context, address: 'path' };
}

/** Where the document goes on after a value. */
export function afterValue(context: HtmlContext): HtmlContext {
  return context.kind === 'value' && context.address === 'nothing'
    ? { ...context, address: 'path' }
    : context;
}

/** Where it goes on when it came by one of two ways; undefined when they end in different places. */
export function joinContexts(one: HtmlContext, other: HtmlContext): HtmlContext | undefined {
  if (one.kind === 'value' && other.kind === 'value' && one.address && other.address) {
    const isSame =
      one.element === other.element && one.attribute === other.attribute && one.quote === other.quote;
    if (!isSame) return undefined;
    // Whatever stands before, a value is then no whole address.
    return one.address === other.address ? one : { ...one, address: 'path' };
  }
  return JSON.stringify(one) === JSON.stringify(other) ? one : undefined;
}

/** Why no value may stand here; undefined when one may. */
export function findFault(context: HtmlContext): string | undefined {
  if (context.kind === 'raw') return `dentro de <${context.element}>`;
  if (context.kind === 'tag') return 'dentro de uma marca, fora de aspas';
  if (context.kind !== 'value') return undefined;
  if (/^on|^style$|^srcdoc$|^srcset$/.test(context.attribute)) return `no atributo ${context.attribute}`;
  return undefined;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

/** A value as it may stand there. */
export function escapeFor(context: HtmlContext, value: string): string {
  // Nobody reads a comment, and a value could end it.
  if (context.kind === 'comment') return '';
  const address = context.kind === 'value' ? context.address : undefined;
  if (address === 'nothing') return escapeHtml(readAddress(value));
  if (address === 'path') return escapeHtml(encode(value).replaceAll('%2F', '/'));
  if (address === 'query') return escapeHtml(encode(value));
  return escapeHtml(value);
}

/** A whole address, or the beginning of one: what could run is none. */
function readAddress(value: string): string {
  const [, scheme] = /^\s*([^/?#:]*):/.exec(value) ?? [];
  if (scheme !== undefined && !/^(?:https?|mailto)$/i.test(scheme)) return '#';
  return encodeURI(value.trim().toWellFormed()).replace(/%25|%5B|%5D/g, decodeURIComponent);
}

function encode(value: string): string {
  return encodeURIComponent(value.toWellFormed());
}
