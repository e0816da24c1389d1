/** Names the build that runs: the address of its entry script, whose hash changes with anything in it. */
export function buildId(): string {
  return document.querySelector<HTMLScriptElement>('script[type="module"][src]')?.src ?? '';
}
