import type { ManifestOptions } from 'vite-plugin-pwa';

/** What a phone or a desktop shows and does once the app is installed. */
export const appManifest: Partial<ManifestOptions> = {
  id: '/dashboard',
  name: 'Linkoteca',
  short_name: 'Linkoteca',
  description: 'Sua biblioteca de links: pastas, categorias e busca instantânea, com calma e sem bagunça.',
  lang: 'pt-BR',
  dir: 'ltr',
  start_url: '/dashboard',
  scope: '/',
  display: 'standalone',
  categories: ['productivity', 'utilities'],
  // The light theme's paper: a manifest knows one colour only, the page itself then names both.
  theme_color: '#fbfaf7',
  background_color: '#fbfaf7',
  icons: [
    { src: '/icons/icon-192.png', sizes: '192x192', type: 'image/png' },
    { src: '/icons/icon-512.png', sizes: '512x512', type: 'image/png' },
    { src: '/icons/maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
  ],
  shortcuts: [
    {
      name: 'Adicionar link',
      url: '/share-target',
      icons: [{ src: '/icons/icon-192.png', sizes: '192x192' }],
    },
    {
      name: 'Buscar',
      description: 'Buscar em todos os links',
      url: '/search',
      icons: [{ src: '/icons/icon-192.png', sizes: '192x192' }],
    },
  ],
  share_target: {
    action: '/share-target',
    method: 'GET',
    params: { title: 'title', text: 'text', url: 'url' },
  },
};
