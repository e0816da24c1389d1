import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { inlineScript } from './inline-script.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/**
 * The second build: what the server draws public pages with, one file without any import from node_modules. It names the
 * font that the first build wrote; hidden files of `dist` are never served.
 */
export default defineConfig({
  root: here('.'),
  publicDir: false,
  plugins: [react(), tailwindcss(), inlineScript()],
  define: { 'process.env.NODE_ENV': '"production"' },
  ssr: { noExternal: true },
  build: {
    ssr: here('./src/public-page/main.ts'),
    outDir: here('./dist/.server'),
    emptyOutDir: true,
    target: 'node20',
    cssTarget: ['chrome123', 'firefox128', 'safari17.5'],
    cssMinify: true,
    assetsInlineLimit: 0,
    rolldownOptions: { output: { entryFileNames: 'public-page.mjs', codeSplitting: false } },
  },
});
