/**
 * F leads to where the category is filtered, as it leads to the field there; not for whoever turned single keys off.
 * @param open gives the storage; it throws where the browser keeps none.
 */
export function followFilterKey(document: Document, open: () => Storage): void {
  document.addEventListener('keydown', (event) => {
    const held = event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.repeat;
    if (held || event.key !== 'f' || !singleKeysAreOn(open)) return;
    document.querySelector<HTMLElement>('[data-key=f]')?.click();
  });
}

/** As shared/lib/browser/single-key-shortcuts.ts says it, without what keeps a screen in step. */
function singleKeysAreOn(open: () => Storage): boolean {
  try {
    return open().getItem('linkoteca-single-keys') !== 'off';
  } catch {
    return true;
  }
}
