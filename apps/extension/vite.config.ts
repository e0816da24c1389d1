import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The pages and the background, the same for every browser; scripts/build-extension.mjs adds the manifests. */
export default defineConfig({
  root: here('.'),
  base: './',
  plugins: [react(), tailwindcss()],
  build: {
    outDir: here('./dist/common'),
    emptyOutDir: true,
    target: ['chrome123', 'firefox128'],
    // A data: address would need a looser content-security policy.
    assetsInlineLimit: 0,
    modulePreload: false,
    rolldownOptions: {
      input: {
        popup: here('popup.html'),
        options: here('options.html'),
        panel: here('panel.html'),
        background: here('src/background/background.ts'),
      },
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: 'assets/[name].js',
        assetFileNames: 'assets/[name][extname]',
      },
    },
  },
});
