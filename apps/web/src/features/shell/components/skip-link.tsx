/** First stop of the keyboard: past the sidebar, to the page. */
export function SkipLink() {
  return (
    <a
      href="#page"
      className="absolute top-2 left-2 z-10 -translate-y-16 rounded bg-accent px-3 py-2 text-base font-medium text-on-accent focus:translate-y-0"
    >
      Pular para o conteúdo
    </a>
  );
}
