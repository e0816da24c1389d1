/**
 * Gives the keyboard to a section's heading once what was pressed there has gone from the page; whoever is elsewhere by then stays.
 * @param id of the heading, which takes the focus by code alone.
 * @param pressed what had the keyboard when it began.
 */
export function focusHeading(id: string, pressed: Element | null): void {
  const { activeElement } = document;
  if (activeElement === pressed || activeElement === document.body) document.getElementById(id)?.focus();
}
