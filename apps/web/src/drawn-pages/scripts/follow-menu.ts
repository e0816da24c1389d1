interface MenuParts {
  readonly menu: HTMLElement;
  readonly button: HTMLElement;
  /** What lies behind the menu while it is open. */
  readonly behind: readonly HTMLElement[];
  /** Matches where the menu has no place. */
  readonly wide: MediaQueryList;
}

/**
 * What the menu of narrow screens gains where scripts run. Opening, closing, Esc and the locked page are the browser's own
 * (a popover and a line of style); here the state is told to readers, focus stays out of what lies behind, and the menu
 * goes when it has led somewhere or when the window becomes wide.
 */
export function followMenu({ menu, button, behind, wide }: MenuParts): void {
  let leadsAway = false;
  button.setAttribute('aria-expanded', 'false');
  menu.addEventListener('toggle', (event) => {
    const isOpen = (event as ToggleEvent).newState === 'open';
    button.setAttribute('aria-expanded', String(isOpen));
    for (const part of behind) part.inert = isOpen;
    // Whoever left the menu stands on its button again, wherever focus had gone; whoever followed a link goes on from there.
    if (!isOpen && !leadsAway) button.focus({ preventScroll: true });
    leadsAway = false;
  });
  menu.addEventListener('click', ({ target }) => {
    if (!(target instanceof Element) || target.closest('a') === null) return;
    leadsAway = true;
    menu.hidePopover();
  });
  wide.addEventListener('change', ({ matches }) => {
    if (matches) menu.hidePopover();
  });
}
