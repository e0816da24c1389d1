type Property = 'display' | 'visibility' | 'pointer-events';

/** What decides whether an element is shown and clickable, by both of its names. */
const REMEMBERED = new Map<PropertyKey, Property>([
  ['display', 'display'],
  ['visibility', 'visibility'],
  ['pointerEvents', 'pointer-events'],
  ['pointer-events', 'pointer-events'],
]);
/** Of these jsdom's own style sheet asks more than `describe` does. */
const ASKED_EACH_TIME = new Set(['dialog', 'noscript', 'summary']);

const answering = new WeakSet<object>();

/**
 * Lets `getComputedStyle` remember what jsdom finds out anew for an element and all around it whenever anything has changed. A query by
 * role asks each element of the page whether it is shown, which took a fifth of the screens' tests. The answers are jsdom's own, asked
 * for once for each kind of element; each time where a style sheet of the page or a style of the element has a say.
 */
export function rememberComputedStyles(window: Window): void {
  if (answering.has(window)) return;
  answering.add(window);
  const { document } = window;
  const compute = window.getComputedStyle.bind(window);
  const known = new Map<string, string>();

  function read(element: Element, property: Property): string {
    if (isSpecial(element, property)) return compute(element).getPropertyValue(property);
    if (property !== 'display' && element.parentElement !== null)
      return read(element.parentElement, property);
    const question = `${property} ${describe(element)}`;
    const value = known.get(question) ?? compute(element).getPropertyValue(property);
    known.set(question, value);
    return value;
  }

  window.getComputedStyle = (element, pseudo) => {
    if (pseudo || element.ownerDocument !== document || document.styleSheets.length > 0)
      return compute(element, pseudo);
    let computed: CSSStyleDeclaration | undefined;
    const readAll = () => {
      computed ??= compute(element);
      return computed;
    };
    const getPropertyValue = (name: string) => {
      const property = REMEMBERED.get(name);
      return property === name ? read(element, property) : readAll().getPropertyValue(name);
    };
    return new Proxy({} as CSSStyleDeclaration, {
      get: (_style, key) => {
        if (key === 'getPropertyValue') return getPropertyValue;
        const property = REMEMBERED.get(key);
        if (property !== undefined) return read(element, property);
        const value: unknown = Reflect.get(readAll(), key);
        return typeof value === 'function' ? value.bind(readAll()) : value;
      },
    });
  };
}

/** By this jsdom's style sheet tells elements apart, all but a few. */
const describe = (element: Element) =>
  JSON.stringify([
    element.namespaceURI,
    element.localName,
    element.getAttribute('hidden'),
    element.localName === 'input' && element.getAttribute('type'),
  ]);

const isSpecial = (element: Element, property: Property) =>
  ASKED_EACH_TIME.has(element.localName) ||
  element.hasAttribute('popover') ||
  (element.getAttribute('style') ?? '').includes(property) ||
  // A hidden row of a table is.
  (property === 'visibility' && element.hasAttribute('hidden'));
