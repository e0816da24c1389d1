import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { inlineScript } from './inline-script.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/**
 * The third build: the pages of the site itself, drawn once (scripts/write-site-pages.mjs). It emits the pictures that they
 * show, with a hash in each name; the font is the one that the first build wrote.
 */
export default defineConfig({
  root: here('.'),
  publicDir: false,
  plugins: [react(), tailwindcss(), inlineScript()],
  define: { 'process.env.NODE_ENV': '"production"' },
  ssr: { noExternal: true },
  build: {
    ssr: here('./src/site-pages/main.ts'),
    ssrEmitAssets: true,
    outDir: here('./dist/.site-pages'),
    emptyOutDir: true,
    target: 'node20',
    cssTarget: ['chrome123', 'firefox128', 'safari17.5'],
    cssMinify: true,
    assetsInlineLimit: 0,
    rolldownOptions: { output: { entryFileNames: 'site-pages.mjs', codeSplitting: false } },
  },
});
