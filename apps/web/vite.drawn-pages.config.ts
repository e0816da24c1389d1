import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { inlineScript } from './inline-script.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/**
 * The second build: what draws the pages of public categories, in the server, and the site's own pages, once
 * (scripts/build-web.mjs). One file without any import from node_modules, and the pictures that the site shows, with a hash
 * in each name; the font is the one that the first build wrote. Hidden files of `dist` are never served.
 */
export default defineConfig({
  root: here('.'),
  publicDir: false,
  plugins: [react(), tailwindcss(), inlineScript()],
  define: { 'process.env.NODE_ENV': '"production"' },
  ssr: { noExternal: true },
  build: {
    ssr: here('./src/drawn-pages/main.ts'),
    ssrEmitAssets: true,
    outDir: here('./dist/.server'),
    emptyOutDir: true,
    target: 'node20',
    cssTarget: ['chrome123', 'firefox128', 'safari17.5'],
    cssMinify: true,
    assetsInlineLimit: 0,
    rolldownOptions: { output: { entryFileNames: 'public-page.mjs', codeSplitting: false } },
  },
});
