import type { CaptchaWidget } from './captcha-widget.ts';
import type { CaptchaApi, CaptchaProvider } from './load-captcha-script.ts';

interface WidgetOptions {
  readonly provider: CaptchaProvider;
  readonly siteKey: string;
  readonly place: HTMLElement;
  readonly onFailed: () => void;
}

/** Turnstile mostly decides by itself, in a moment; hCaptcha waits for a press, which nobody can wait for. */
const PATIENCE_MS = { turnstile: 10_000, hcaptcha: 0 } as const;

/** Puts a widget on the page and keeps its token. */
export function openCaptchaWidget(
  api: CaptchaApi,
  { provider, siteKey, place, onFailed }: WidgetOptions,
): CaptchaWidget & { readonly close: () => void } {
  let token: string | undefined;
  let waiting: (() => void) | undefined;
  const become = (next: string | undefined) => {
    token = next;
    if (next !== undefined) waiting?.();
  };
  const dark = getComputedStyle(document.documentElement).colorScheme.includes('dark');
  const id = api.render(place, {
    sitekey: siteKey,
    callback: become,
    'expired-callback': () => become(undefined),
    'error-callback': onFailed,
    theme: dark ? 'dark' : 'light',
    language: 'pt-br',
    hl: 'pt-BR',
  });
  const wait = () =>
    new Promise<void>((resolve) => {
      waiting = resolve;
      setTimeout(resolve, PATIENCE_MS[provider]);
    });
  return {
    take: async () => {
      if (token === undefined) await wait();
      const taken = token;
      if (taken === undefined) return undefined;
      token = undefined;
      // Each token is good for one call: the next attempt needs another one.
      api.reset(id);
      return taken;
    },
    close: () => api.remove(id),
  };
}
