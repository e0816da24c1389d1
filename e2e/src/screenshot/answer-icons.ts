import type { BrowserContext } from '@playwright/test';

const COLOURS = ['#3f7f6b', '#4a79b0', '#a4573f', '#7a66b3', '#8a7a3c', '#3f8a8f', '#a0507f'];

/**
 * Answers for the icon services with a letter on a tile, the same for the same site: the pictures must not depend on who
 * answers today, and show nobody's mark. Other foreign sites do not answer.
 */
export async function answerIcons(context: BrowserContext, siteUrl: string): Promise<void> {
  await context.route(
    (url) => url.origin !== siteUrl,
    async (route) => {
      const domain = new URL(route.request().url()).searchParams.get('domain');
      if (domain === null) return route.abort();
      const name = domain.replace(/^www\./, '');
      const colour = COLOURS[(name.charCodeAt(0) + name.length) % COLOURS.length];
      return route.fulfill({
        contentType: 'image/svg+xml',
        body: `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="${colour}"/><text x="16" y="23" text-anchor="middle" font-family="Inter, Arial, sans-serif" font-weight="700" font-size="19" fill="#fff">${name.charAt(0).toUpperCase()}</text></svg>`,
      });
    },
  );
}
