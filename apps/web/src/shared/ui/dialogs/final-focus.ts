type FinalFocus = () => HTMLElement | true | null | false;

/**
 * Where the keyboard goes when a dialog has gone, which takes as long as it is seen to go: whoever is elsewhere by then stays there, unless
 * the dialog names a place. It does where what it came from goes with it, and until that has gone the keyboard may be there.
 * @param choose asked each time; true is where the keyboard came from, false where it is.
 */
export function finalFocusOf(choose: FinalFocus): FinalFocus {
  return () => {
    const place = choose();
    return place === true && isElsewhere(document.activeElement) ? false : place;
  };
}

/** In a dialog still, whether it is seen to go or went at once, or on its edge: not yet elsewhere. */
const WITHIN = '[role=dialog],[role=alertdialog],[data-base-ui-focus-guard]';

/** Whether the keyboard is on the page, and would be missed there. */
export function isElsewhere(element: Element | null): boolean {
  return element !== null && element !== document.body && element.closest(WITHIN) === null;
}
