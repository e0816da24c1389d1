/** The browsers that a package is made for: they agree on the code, and differ in a few lines of the manifest. */
export type Browser = 'chromium' | 'firefox';
export const BROWSERS: readonly Browser[] = ['chromium', 'firefox'];

/** Pixels of the icons' sides. */
export const ICON_SIZES = [16, 32, 48, 128] as const;

/** Keeps the id of an unpacked Chromium extension, and with it the address that sign-ins come back to. The store replaces it by its own. */
const CHROMIUM_KEY =
  'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAuyZfQXMYIAx7s8CGNRKK5aORghQMuEUJKJ9f659XZQyFgVM/MS/oKQzXUgE5NkPN3xO5MzIGC/4N2/6S5SD8ykftxiJCc3Pd3BzelkGY0pd8MKtJw4PeejznS0j4Qopo+vUcHvf5JeKQyM/64MCuNl2lWZYOQCNCzW0ZmjawwlKY1foQrGdN9yaU1sy4Nlfb43i8qhxDf2oFLdsU3lFysnM9A1nILXFhYJpn0mUbUNudEhYqp2jWZgivD3VxN5tfgs+wrDnrSOcmFR9KJxHSpGtA8xBuh2anwEiaONc53IIByc23/A52GOz6peAQ1URLrshRsHa0iNrO1ANgieA7jwIDAQAB';
const FIREFOX_ID = 'extensao@linkoteca';
/** The first with everything that is asked for here, `optional_host_permissions` the latest of it. */
const OLDEST = { chromium: '123', firefox: '140.0', firefoxOnAndroid: '142.0' } as const;

const icons = Object.fromEntries(ICON_SIZES.map((size) => [String(size), `icons/icon-${size}.png`]));

/**
 * The manifest (version 3) of a browser's package. What it may do by itself is little: it sees a page when its button is pressed there
 * (`activeTab`), and reaches no address before a person has named theirs (`optional_host_permissions`).
 * @param version of the package, as `package.json` has it.
 */
export function buildManifest(browser: Browser, version: string): Readonly<Record<string, unknown>> {
  return {
    manifest_version: 3,
    name: '__MSG_name__',
    short_name: 'Linkoteca',
    description: '__MSG_description__',
    version,
    default_locale: 'pt_BR',
    icons,
    action: { default_popup: 'popup.html', default_title: '__MSG_save__', default_icon: icons },
    commands: { _execute_action: { suggested_key: { default: 'Alt+Shift+L' }, description: '__MSG_save__' } },
    omnibox: { keyword: 'lk' },
    options_ui: { page: 'options.html', open_in_tab: true },
    permissions: [
      'activeTab',
      'alarms',
      'contextMenus',
      'identity',
      'scripting',
      'storage',
      ...OWN[browser].permissions,
    ],
    optional_permissions: ['tabs'],
    optional_host_permissions: ['https://*/*', 'http://*/*'],
    content_security_policy: {
      extension_pages:
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
        "connect-src https: http:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    },
    ...OWN[browser].lines,
  };
}

const OWN: Readonly<
  Record<
    Browser,
    { readonly permissions: readonly string[]; readonly lines: Readonly<Record<string, unknown>> }
  >
> = {
  chromium: {
    permissions: ['sidePanel'],
    lines: {
      key: CHROMIUM_KEY,
      minimum_chrome_version: OLDEST.chromium,
      background: { service_worker: 'background.js', type: 'module' },
      side_panel: { default_path: 'panel.html' },
    },
  },
  firefox: {
    permissions: [],
    lines: {
      background: { scripts: ['background.js'], type: 'module' },
      sidebar_action: {
        default_panel: 'panel.html',
        default_title: 'Linkoteca',
        default_icon: icons,
        open_at_install: false,
      },
      browser_specific_settings: {
        gecko: {
          id: FIREFOX_ID,
          strict_min_version: OLDEST.firefox,
          // What is saved goes to the installation that the person chose, and nowhere else.
          data_collection_permissions: {
            required: ['browsingActivity', 'bookmarksInfo', 'websiteContent'],
            optional: [],
          },
        },
        gecko_android: { strict_min_version: OLDEST.firefoxOnAndroid },
      },
    },
  },
};
