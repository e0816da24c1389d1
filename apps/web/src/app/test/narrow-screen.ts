/** A window under 768 px for the rest of the test, as its media queries tell; jsdom has no layout of its own. */
export function narrowScreen(): void {
  window.matchMedia = (query: string) =>
    ({
      matches: query === '(width < 48rem)',
      media: query,
      addEventListener: () => undefined,
      removeEventListener: () => undefined,
    }) as unknown as MediaQueryList;
}
