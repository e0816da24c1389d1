/**
 * Whether the server has another build than the one that runs. False when nobody answers.
 * @param buildId address of the running build's entry script, which the page names.
 */
export async function isOutdated(buildId: string): Promise<boolean> {
  try {
    // The query keeps the service worker from answering with the page it keeps.
    const response = await fetch('/index.html?newest', { cache: 'no-store' });
    const page = await response.text();
    return response.ok && page.includes('type="module"') && !page.includes(new URL(buildId).pathname);
  } catch {
    return false;
  }
}
