import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createFakeAuth } from '../../test/create-fake-auth.ts';
import { fakeConfig } from '../../test/render-with-providers.tsx';
import { type Backend, BackendContext } from '../supabase/backend-context.tsx';
import { CaptchaField } from './captcha-field.tsx';
import { type Captcha, useCaptcha } from './use-captcha.tsx';

type Options = Readonly<Record<string, unknown>> & { readonly callback: (token: string) => void };

/** Stands in for the provider's script, as it appears on the page. */
const api = {
  render: vi.fn((_place: HTMLElement, _options: Options) => 'id'),
  reset: vi.fn(),
  remove: vi.fn(),
};
const page = window as unknown as Record<string, unknown>;

beforeEach(() => {
  page['turnstile'] = api;
});
afterEach(() => {
  vi.clearAllMocks();
  for (const script of document.head.querySelectorAll('script')) script.remove();
});

const findScript = () =>
  waitFor(() => {
    const script = document.head.querySelector('script');
    if (!script) throw new Error('no script yet');
    return script;
  });

function Form({ onCaptcha }: { readonly onCaptcha: (captcha: Captcha) => void }) {
  const captcha = useCaptcha();
  onCaptcha(captcha);
  return captcha.field;
}

function show(captcha?: { provider: 'turnstile'; siteKey: string }) {
  let taken: Captcha | undefined;
  const backend = {
    config: { ...fakeConfig, ...(captcha ? { captcha } : {}) },
    auth: createFakeAuth(null).client,
    authLink: { kind: 'none' },
  } satisfies Backend;
  const view = render(
    <BackendContext value={backend}>
      <Form
        onCaptcha={(captcha) => {
          taken = captcha;
        }}
      />
    </BackendContext>,
  );
  return { ...view, take: () => (taken as Captcha).take() };
}

test('where no captcha is configured nothing of another site is loaded, and nothing is sent along', async () => {
  const { take, container } = show();
  expect(await take()).toEqual({});
  expect(container.innerHTML).toBe('');
  expect(document.head.querySelector('script')).toBeNull();
});

test('a script that does not come is told, and asked for again on request; then its token is good for one call', async () => {
  const widget = { current: null };
  const view = render(<CaptchaField provider="turnstile" siteKey="site" widget={widget} />);
  const first = await findScript();
  expect(first.src).toMatch(
    /^https:\/\/challenges\.cloudflare\.com\/turnstile\/v0\/api\.js\?render=explicit/,
  );
  act(() => first.dispatchEvent(new Event('error')));
  expect(await screen.findByRole('alert')).toBeTruthy();
  await userEvent.setup().click(screen.getByRole('button', { name: 'Tentar de novo' }));
  await findScript();
  await act(async () => (page['linkotecaCaptchaReady'] as () => void)());
  await waitFor(() => expect(api.render).toHaveBeenCalledTimes(1));
  expect(screen.queryByRole('alert')).toBeNull();
  expect(api.render.mock.calls[0]?.[1]).toMatchObject({ sitekey: 'site', language: 'pt-br', theme: 'light' });
  view.unmount();
  expect(api.remove).toHaveBeenCalledExactlyOnceWith('id');

  // The script stays: another form finds it loaded.
  const { take } = show({ provider: 'turnstile', siteKey: 'site' });
  await waitFor(() => expect(api.render).toHaveBeenCalledTimes(2));
  api.render.mock.calls[1]?.[1].callback('token');
  expect(await take()).toEqual({ captchaToken: 'token' });
  expect(api.reset).toHaveBeenCalledTimes(1);
  vi.useFakeTimers();
  const refused = expect(take()).rejects.toMatchObject({ name: 'CaptchaMissing' });
  await vi.advanceTimersByTimeAsync(10_000);
  await refused;
  vi.useRealTimers();
});
