/** jsdom's own: for each element it asks every rule of its style sheet, anew after each change of the document. */
export const compute = window.getComputedStyle.bind(window);

/** What an element's own name and attributes alone decide while there is no style sheet but the browser's. */
const displays = new Map<string, string>();
/** What is inherited from nobody. */
const initial = new Map<string, string>();

/**
 * The computed style of an element, as jsdom computes it. Queries by role and every press ask whether each element around is
 * displayed, visible and to be pressed: those three are remembered for elements alike.
 */
export function getComputedStyle(element: Element, pseudo?: string | null): CSSStyleDeclaration {
  if (pseudo || document.styleSheets.length > 0) return compute(element, pseudo);
  let full: CSSStyleDeclaration | undefined;
  const all = () => {
    full ??= compute(element);
    return full;
  };
  const read = (name: string): string => {
    if (name === 'display') return readDisplay(element);
    if (name === 'visibility' || name === 'pointer-events') return readInherited(element, name);
    return all().getPropertyValue(name);
  };
  return new Proxy({} as CSSStyleDeclaration, {
    get: (_target, name) => {
      if (name === 'display' || name === 'visibility') return read(name);
      if (name === 'pointerEvents') return read('pointer-events');
      if (name === 'getPropertyValue') return read;
      const value: unknown = Reflect.get(all(), name);
      return typeof value === 'function' ? value.bind(all()) : value;
    },
    has: (_target, name) => Reflect.has(all(), name),
  });
}

function readDisplay(element: Element): string {
  if (element.hasAttribute('style') || element.hasAttribute('popover'))
    return compute(element).getPropertyValue('display');
  const key = JSON.stringify([
    element.namespaceURI,
    element.localName,
    ...['hidden', 'open', 'type'].map((name) => element.getAttribute(name)),
    element.localName === 'summary' && element.previousElementSibling === null,
  ]);
  let display = displays.get(key);
  if (display === undefined) {
    display = compute(element).getPropertyValue('display');
    displays.set(key, display);
  }
  return display;
}

function readInherited(element: Element, name: 'visibility' | 'pointer-events'): string {
  for (let each: Element | null = element; each !== null; each = each.parentElement)
    if (
      each.getAttribute('style')?.includes(name) ||
      (/^(t|col)/.test(each.localName) && each.hasAttribute('hidden'))
    )
      return compute(element).getPropertyValue(name);
  let value = initial.get(name);
  if (value === undefined) {
    value = compute(element).getPropertyValue(name);
    initial.set(name, value);
  }
  return value;
}
