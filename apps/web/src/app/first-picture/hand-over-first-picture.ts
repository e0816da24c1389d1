/** What shows that a screen of the app stands there, not only its spinner. */
const SCREEN = 'main, h1';
/** What shows that it is not whole yet: a picture with data in it stays until the screen has them, too. */
const WAITING = 'main [aria-busy=true]';
/** The longest that a screen waits below for its data, milliseconds: where that never comes, too, the screen can be used. */
const LONGEST_WAIT_MS = 10_000;
/** The longest that a press holds the picture, milliseconds: a mouse let go outside the window never tells its end. */
const LONGEST_PRESS_MS = 1_000;
/** How long after its end a finger's click may come, milliseconds. */
const CLICK_MS = 100;

/**
 * Takes the first picture away in the moment in which the app's own screen stands below it, and gives the screen what was
 * meanwhile typed, focused, scrolled, pressed and sent in the picture. Not while a key or a button is down: a press that ends on
 * another element than it began on is none.
 * @param root where the app is drawn.
 */
export function handOverFirstPicture(picture: HTMLElement, root: HTMLElement): void {
  let sent = false;
  let held: ReturnType<typeof setTimeout> | undefined;
  let patience: 'whole' | 'running' | 'over' = 'whole';
  const hold = (milliseconds: number) => () => {
    clearTimeout(held);
    held = setTimeout(() => {
      held = undefined;
      handOver();
    }, milliseconds);
  };
  for (const begin of ['pointerdown', 'keydown']) picture.addEventListener(begin, hold(LONGEST_PRESS_MS));
  for (const end of ['pointerup', 'pointercancel', 'keyup']) picture.addEventListener(end, hold(CLICK_MS));
  // Pressed again because nothing happened yet: meant once.
  const pressed = new Set<Element>();
  picture.addEventListener('click', (event) => {
    const { target } = event;
    const button = target instanceof Element ? target.closest('button[type=button],a[href^="#"]') : null;
    if (!button) return;
    // Of a place within the page: it comes with the screen.
    event.preventDefault();
    pressed.add(button);
  });
  picture.addEventListener('submit', (event) => {
    event.preventDefault();
    sent = true;
  });
  const handOver = () => {
    if (!picture.isConnected || root.querySelector(SCREEN) === null) return;
    const hasData = picture.dataset['filled'] !== undefined;
    const isFilling = patience !== 'over' && hasData && root.querySelector(WAITING) !== null;
    if (isFilling && patience === 'whole') {
      patience = 'running';
      setTimeout(() => {
        patience = 'over';
        handOver();
      }, LONGEST_WAIT_MS);
    }
    const isWaiting = held !== undefined || isFilling;
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
  };
  const watch = new MutationObserver(handOver);
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
