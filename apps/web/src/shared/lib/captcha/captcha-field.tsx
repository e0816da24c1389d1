import { CAPTCHA_MESSAGES } from '@linkoteca/domain/messages/account-messages';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { log } from '../log.ts';
import type { CaptchaWidget } from './captcha-widget.ts';

interface CaptchaFieldProps {
  readonly provider: CaptchaProvider;
  readonly siteKey: string;
  /** Where whoever sends the form finds the widget. */
  readonly widget: RefObject<CaptchaWidget | null>;
}

/** hCaptcha's box, the higher one. The page must not jump when it comes. */
const HEIGHT_PX = 78;

/** The provider's widget, or why it is not there. */
export function CaptchaField({ provider, siteKey, widget }: CaptchaFieldProps) {
  const place = useRef<HTMLDivElement>(null);
  const [failed, setFailed] = useState(false);
  const [attempt, setAttempt] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt opens another widget
  useEffect(() => {
    let close: (() => void) | undefined;
    let over = false;
    setFailed(false);
    loadCaptchaScript(provider)
      .then((api) => {
        if (over || !place.current) return;
        const opened = openCaptchaWidget(api, {
          provider,
          siteKey,
          place: place.current,
          onFailed: () => setFailed(true),
        });
        widget.current = opened;
        close = opened.close;
      })
      .catch((reason: unknown) => {
        log.warn('the captcha could not be opened', reason);
        if (!over) setFailed(true);
      });
    return () => {
      over = true;
      widget.current = null;
      close?.();
    };
  }, [provider, siteKey, widget, attempt]);

  return (
    <div style={{ minHeight: HEIGHT_PX }}>
      <div ref={place} />
      {failed ? (
        <Notice
          tone="danger"
          action={
            <Button size="small" onClick={() => setAttempt(attempt + 1)}>
              Tentar de novo
            </Button>
          }
        >
          {CAPTCHA_MESSAGES.unavailable}
        </Notice>
      ) : null}
    </div>
  );
}

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

/** What both providers offer under their own name; as their documentation describes it. */
export interface CaptchaApi {
  readonly render: (
    place: HTMLElement,
    options: {
      readonly sitekey: string;
      readonly callback: (token: string) => void;
      readonly 'expired-callback': () => void;
      readonly 'error-callback': () => void;
      readonly theme: 'light' | 'dark';
      /** Turnstile's word for the language … */
      readonly language: string;
      /** … and hCaptcha's. */
      readonly hl: string;
    },
  ) => string;
  readonly reset: (id: string) => void;
  readonly remove: (id: string) => void;
}

export type CaptchaProvider = 'hcaptcha' | 'turnstile';

const READY = 'linkotecaCaptchaReady';
const QUERY = `?render=explicit&onload=${READY}`;
const SCRIPTS = {
  hcaptcha: `https://js.hcaptcha.com/1/api.js${QUERY}&hl=pt-BR`,
  turnstile: `https://challenges.cloudflare.com/turnstile/v0/api.js${QUERY}`,
} as const;

let loading: Promise<CaptchaApi> | undefined;

/** Fetches the provider's code, once a page. Rejects when it does not come (no network, a blocker); asked again, it tries again. */
export function loadCaptchaScript(provider: CaptchaProvider): Promise<CaptchaApi> {
  loading ??= fetchScript(provider).catch((reason: unknown) => {
    loading = undefined;
    throw reason;
  });
  return loading;
}

function fetchScript(provider: CaptchaProvider): Promise<CaptchaApi> {
  return new Promise((resolve, reject) => {
    const page = window as unknown as Record<string, unknown>;
    const script = document.createElement('script');
    const fail = (why: string) => {
      script.remove();
      reject(new Error(why));
    };
    page[READY] = () => {
      const api = page[provider];
      if (api) resolve(api as CaptchaApi);
      else fail('the captcha provider sent something else');
    };
    script.src = SCRIPTS[provider];
    script.async = true;
    script.onerror = () => fail('the captcha could not be loaded');
    document.head.append(script);
  });
}
