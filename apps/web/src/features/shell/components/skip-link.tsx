/** First stop of the keyboard: past the sidebar, to the page. */
export function SkipLink() {
  return (
    // biome-ignore lint/a11y/useValidAnchor: It leads to a place on the page, as the browser's own step does.
    <a
      href="#page"
      onClick={(event) => {
        // As the browser would, but without an entry in the history, whose place among the others nobody would know.
        event.preventDefault();
        document.getElementById('page')?.focus();
      }}
      className="absolute top-2 left-2 z-10 -translate-y-16 rounded bg-accent px-3 py-2 text-base font-medium text-on-accent focus:translate-y-0"
    >
      Pular para o conteúdo
    </a>
  );
}
