type FinalFocus = () => HTMLElement | true | null | false;

/**
 * Where the keyboard goes when a dialog has gone, which takes as long as it is seen to go: whoever is elsewhere by then stays there.
 * @param choose asked for everybody else; true is where the keyboard came from, false where it is.
 */
export function finalFocusOf(choose: FinalFocus): FinalFocus {
  return () => (isElsewhere(document.activeElement) ? false : choose());
}

function isElsewhere(element: Element | null): boolean {
  return element !== null && element !== document.body && element.closest('[data-closed]') === null;
}
