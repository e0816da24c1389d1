/**
 * Lays out what lies below the first screen, a section in each idle moment after the load: no piece of work is long, and
 * whatever looks at the page afterwards (a search, a reader, another theme) finds all of it as it is.
 * @param whenIdle calls back in an idle moment.
 */
export function layOutRest(document: Document, whenIdle: (next: () => void) => void): void {
  const sections = [...document.querySelectorAll('.below')];
  const next = () => {
    sections.shift()?.classList.remove('below');
    if (sections.length > 0) whenIdle(next);
  };
  whenIdle(next);
}
