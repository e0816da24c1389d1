import type { Plugin } from 'vite';

/**
 * Adds `<link rel="preload">` for the interface font to the built page, so that text is painted once,
 * in its final shape. The hashed name is only known when the bundle exists.
 */
export function preloadInterfaceFont(): Plugin {
  return {
    name: 'linkoteca:preload-interface-font',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, context) {
        const font = Object.keys(context.bundle ?? {}).find((name) => /inter-.*\.woff2$/.test(name));
        if (!font) throw new Error('the interface font is missing from the bundle');
        return [
          {
            tag: 'link',
            attrs: { rel: 'preload', href: `/${font}`, as: 'font', type: 'font/woff2', crossorigin: '' },
            injectTo: 'head-prepend',
          },
        ];
      },
    },
  };
}
