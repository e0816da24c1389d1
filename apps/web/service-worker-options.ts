import type { VitePWAOptions } from 'vite-plugin-pwa';
import { appManifest } from './app-manifest.ts';

/**
 * Addresses that are not the app's page: public pages, which are rendered without it, the services, and the server's own
 * pages. The worker leaves them to the network.
 */
export const NOT_THE_APP: readonly RegExp[] = [
  /^\/(?:$|\?)/,
  /^\/(?:terms|privacy-policy|shared|feed)(?:[/?]|$)/,
  /^\/(?:auth|rest|realtime|storage|functions|api|mcp)(?:[/?]|$)/,
  /^\/(?:health|metrics|dev|payment-emulator|assets|icons|config\.json)(?:[/?]|$)/,
];

/** The service worker: it keeps the app's own files, and no answer that belongs to a person. */
export const serviceWorkerOptions: Partial<VitePWAOptions> = {
  // True for one release takes a broken worker out of every browser (docs/operations.md).
  selfDestroying: false,
  // A new version waits until the person takes it: nothing reloads under a form.
  registerType: 'prompt',
  // The app registers it after the first paint.
  injectRegister: false,
  manifest: appManifest,
  includeManifestIcons: false,
  workbox: {
    globPatterns: ['index.html', 'favicon.svg', 'icons/*.png', 'assets/**/*.{js,css,woff2}'],
    // Everything with a hash in its name is what it was: no need to ask again with a revision.
    dontCacheBustURLsMatching: /^assets\//,
    navigateFallback: '/index.html',
    navigateFallbackDenylist: [...NOT_THE_APP],
    // '/' is a public page of its own, never the app's page.
    directoryIndex: null,
    cleanupOutdatedCaches: true,
    // The first visit already ends with a worker in charge: code loaded later is there even if the server restarts.
    clientsClaim: true,
    inlineWorkboxRuntime: true,
    sourcemap: false,
    runtimeCaching: [
      {
        // Pages of the site, drawn without the app: as they are now, as they were last seen without network. Who never saw
        // them gets the app, which knows what to say.
        urlPattern: ({ url, sameOrigin, request }) =>
          sameOrigin &&
          request.mode === 'navigate' &&
          url.search === '' &&
          ['/', '/terms', '/privacy-policy'].includes(url.pathname),
        handler: 'NetworkFirst',
        options: {
          cacheName: 'linkoteca-pages',
          networkTimeoutSeconds: 8,
          precacheFallback: { fallbackURL: '/index.html' },
          plugins: [
            {
              fetchDidSucceed: async ({ response }) => {
                if (!response.ok) throw new Error('unavailable');
                return response;
              },
            },
          ],
        },
      },
      {
        // Their pictures: a hash in each name, and two of four are ever asked for.
        urlPattern: ({ url, sameOrigin }) => sameOrigin && /^\/assets\/.*\.webp$/.test(url.pathname),
        handler: 'CacheFirst',
        options: { cacheName: 'linkoteca-pictures', expiration: { maxEntries: 8 } },
      },
      {
        // Where the services are: needed to start without network.
        urlPattern: ({ url, sameOrigin }) => sameOrigin && url.pathname === '/config.json',
        handler: 'NetworkFirst',
        options: {
          cacheName: 'linkoteca-config',
          networkTimeoutSeconds: 4,
          // It is the same for every origin, and a preload names one where a fetch does not.
          matchOptions: { ignoreVary: true },
          plugins: [
            {
              // A proxy whose server restarts answers 502: what was last said is better.
              fetchDidSucceed: async ({ response }) => {
                if (!response.ok) throw new Error('unavailable');
                return response;
              },
            },
          ],
        },
      },
    ],
  },
};
