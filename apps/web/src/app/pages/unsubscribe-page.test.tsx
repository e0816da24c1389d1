import { fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { loadScreens, renderApp } from '../test/render-app.tsx';

const TOKEN = '11111111-2222-4333-8444-555555555555';

beforeAll(async () => {
  await Promise.all([loadScreens(), import('./unsubscribe-page.tsx')]);
}, 60_000);
afterEach(() => vi.unstubAllGlobals());

/** The service behind the page. */
function answer(...answers: (() => Response)[]) {
  const asked: unknown[] = [];
  vi.stubGlobal('fetch', async (input: unknown, init?: RequestInit) => {
    if (!String(input).endsWith('/functions/v1/share-unsubscribe')) return new Response('{}');
    asked.push(JSON.parse(String(init?.body)));
    return (answers[asked.length - 1] ?? (() => new Response(null, { status: 500 })))();
  });
  return asked;
}
const press = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }));

test('one press without signing in ends the mails, and another allows them again', async () => {
  const asked = answer(
    () => Response.json({ email: 'ana@a.br', stopped: true }),
    () => Response.json({ email: 'ana@a.br', stopped: false }),
  );
  renderApp(`/unsubscribe?token=${TOKEN}`);
  await screen.findByRole('heading', { level: 1, name: 'Avisos de compartilhamento' });
  // A scanner that opens the page decides nothing.
  expect(asked).toEqual([]);
  await press('Não receber mais avisos');
  await screen.findByText('ana@a.br não recebe mais avisos de compartilhamento, de ninguém.');
  await press('Voltar a receber avisos');
  await screen.findByText('ana@a.br volta a receber avisos de compartilhamento.');
  expect(asked).toEqual([
    { token: TOKEN, stop: true, mail: 'share' },
    { token: TOKEN, stop: false, mail: 'share' },
  ]);
});

test('an old link and a service that is away are told apart, and the press may be repeated', async () => {
  answer(
    () => new Response(null, { status: 503 }),
    () => Response.json({ error: 'x' }, { status: 404 }),
    () => Response.json({ email: 'ana@a.br', stopped: true }),
  );
  renderApp(`/unsubscribe?token=${TOKEN}`);
  await press('Não receber mais avisos');
  expect((await screen.findByRole('alert')).textContent).toMatch(/^Não foi possível salvar sua escolha/);
  await press('Não receber mais avisos');
  await screen.findByText('Este link não vale mais');
  await press('Não receber mais avisos');
  await screen.findByText(/não recebe mais avisos/);
  expect(screen.queryByRole('alert')).toBeNull();
});

test('the page of the daily mail ends that one alone, and says so', async () => {
  const asked = answer(
    () => Response.json({ email: 'ana@a.br', stopped: true }),
    () => Response.json({ email: 'ana@a.br', stopped: false }),
  );
  renderApp(`/unsubscribe?token=${TOKEN}&mail=daily`);
  await screen.findByRole('heading', { level: 1, name: 'Resumo diário por e-mail' });
  expect(asked).toEqual([]);
  await press('Não receber mais o resumo');
  await screen.findByText('ana@a.br não recebe mais o resumo diário.');
  await press('Voltar a receber o resumo');
  await screen.findByText('ana@a.br volta a receber o resumo diário.');
  expect(asked).toEqual([
    { token: TOKEN, stop: true, mail: 'daily' },
    { token: TOKEN, stop: false, mail: 'daily' },
  ]);
});

test('an address that says other mails means those about sharing', async () => {
  renderApp(`/unsubscribe?token=${TOKEN}&mail=outra`);
  await screen.findByRole('heading', { level: 1, name: 'Avisos de compartilhamento' });
});
