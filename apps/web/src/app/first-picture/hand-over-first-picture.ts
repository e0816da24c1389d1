/** What shows that a screen of the app stands there, not only its spinner. */
const SCREEN = 'main, h1';
/** What shows that it is not whole yet: a picture with data in it stays until the screen has them, too. */
const WAITING = 'main [aria-busy=true]';

/**
 * Takes the first picture away in the moment in which the app's own screen stands below it, and gives the screen what was
 * meanwhile typed, focused, scrolled, pressed and sent in the picture.
 * @param root where the app is drawn.
 */
export function handOverFirstPicture(picture: HTMLElement, root: HTMLElement): void {
  let sent = false;
  const pressed: Element[] = [];
  picture.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest('button[type=button]') : null;
    if (button) pressed.push(button);
  });
  picture.addEventListener('submit', (event) => {
    event.preventDefault();
    sent = true;
  });
  const watch = new MutationObserver(() => {
    if (root.querySelector(SCREEN) === null) return;
    const isWaiting = picture.dataset['filled'] !== undefined && root.querySelector(WAITING) !== null;
    // Of the two that stand there then, one is there for everybody.
    root.inert = isWaiting;
    root.ariaHidden = isWaiting ? 'true' : null;
    if (isWaiting) return;
    watch.disconnect();
    const focused = picture.contains(document.activeElement) ? document.activeElement : null;
    for (const field of picture.querySelectorAll('input')) handOverText(root, field);
    if (focused) findTwin(root, focused)?.focus();
    const scrolledTo = picture.querySelector('[data-scroller]')?.scrollTop;
    const page = root.querySelector('main');
    if (scrolledTo && page) page.scrollTop = scrolledTo;
    picture.remove();
    for (const button of pressed) findTwin(root, button)?.click();
    if (sent) root.querySelector('form')?.requestSubmit();
  });
  watch.observe(root, { childList: true, subtree: true });
}

function handOverText(root: HTMLElement, from: HTMLInputElement): void {
  const to = findTwin(root, from);
  if (to === null || from.value === '') return;
  // Past React's own setter, so that it notices.
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(to, from.value);
  to.dispatchEvent(new Event('input', { bubbles: true }));
}

/** What stands on the screen for an element of the picture: the same field, button or link; null where there is none. */
function findTwin(root: HTMLElement, element: Element): HTMLElement | null {
  const marked = ['name', 'aria-label', 'href'].find((mark) => element.hasAttribute(mark));
  const all = [...root.querySelectorAll<HTMLElement>(element.localName)];
  const twin = all.find((other) =>
    marked === undefined
      ? other.textContent === element.textContent
      : other.getAttribute(marked) === element.getAttribute(marked),
  );
  return twin ?? null;
}
