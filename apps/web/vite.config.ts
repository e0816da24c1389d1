import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { VitePWA } from 'vite-plugin-pwa';
import { defineConfig } from 'vitest/config';
import { bundleGroups } from './bundle-groups.ts';
import { dropPropertyFallback } from './drop-property-fallback.ts';
import { inlineScript } from './inline-script.ts';
import { preloadEntryChunks } from './preload-entry-chunks.ts';
import { preloadInterfaceFont } from './preload-interface-font.ts';
import { serveSitePages } from './serve-site-pages.ts';
import { serviceWorkerOptions } from './service-worker-options.ts';
import { slimIcons } from './slim-icons.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const backend = `http://localhost:${process.env['PORT'] ?? '3000'}`;

export default defineConfig({
  root: here('.'),
  plugins: [
    react(),
    tailwindcss(),
    preloadInterfaceFont(),
    dropPropertyFallback(),
    slimIcons(),
    preloadEntryChunks(),
    // For the pages that the next one draws.
    inlineScript(),
    serveSitePages(),
    VitePWA(serviceWorkerOptions),
  ],
  build: {
    outDir: here('./dist'),
    emptyOutDir: true,
    manifest: true,
    // light-dark() and oklch() are used unconverted: one line a token, both themes side by side.
    target: ['chrome123', 'firefox128', 'safari17.5'],
    // A data: address would need a looser content-security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { codeSplitting: { groups: bundleGroups } } },
  },
  server: {
    port: 5173,
    proxy: {
      ...Object.fromEntries(
        [
          '/auth/v1',
          '/rest/v1',
          '/storage/v1',
          '/functions/v1',
          '/api',
          '/feed',
          '/config.json',
          '/dev/mail',
          '/payment-emulator',
        ].map((prefix) => [prefix, backend]),
      ),
      '/realtime/v1': { target: backend, ws: true },
    },
  },
  test: {
    setupFiles: [here('./src/shared/test/setup-browser-tests.ts')],
    // When a test counts as hanging. Queries by role walk the whole page in jsdom; on a busy machine that takes its time.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // What jsdom has. Left to itself the clock also fakes whatever stub another file has just put there, and takes it away. Turns of the
    // event loop (setImmediate) are no time: the database of the tests lives by them, and a transaction that began while they stood
    // still would hold up every later one, in other files, too.
    fakeTimers: {
      toFake: [
        'setTimeout',
        'clearTimeout',
        'setInterval',
        'clearInterval',
        'requestAnimationFrame',
        'cancelAnimationFrame',
        'performance',
        'Date',
      ],
    },
  },
});
