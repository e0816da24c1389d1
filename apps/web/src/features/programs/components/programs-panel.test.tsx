import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { usePerson } from '../../../shared/lib/session/session-context.tsx';
import { authFailure, createFakeAuth, fakeSession } from '../../../shared/test/create-fake-auth.ts';
import { renderWithProviders } from '../../../shared/test/render-with-providers.tsx';
import { ProgramsPanel } from './programs-panel.tsx';

afterEach(() => vi.unstubAllGlobals());

/** As behind the login guard. */
function Guarded() {
  return usePerson() ? <ProgramsPanel /> : null;
}

const grant = (name: string, wish: object = {}) => ({
  client: { id: name, name, uri: '', logo_uri: '' },
  scopes: ['links:read'],
  granted_at: '2025-03-05T10:00:00Z',
  ...wish,
});
const token = (name: string) => ({
  id: `id-${name}`,
  name,
  scopes: ['links:read'],
  created_at: '2025-03-05T10:00:00Z',
  expires_at: '2025-06-03T10:00:00Z',
  last_used_at: null,
});

type Sent = { readonly method: string; readonly url: string; readonly body: unknown };

async function open({ grants = [] as unknown[], tokens = [] as unknown[], config = {} } = {}) {
  const sent: Sent[] = [];
  let answer: () => Response = () => new Response(null, { status: 204 });
  vi.stubGlobal('fetch', async (input: unknown, init?: RequestInit) => {
    const method = init?.method ?? 'GET';
    if (method === 'GET') return Response.json(tokens);
    sent.push({ method, url: String(input), body: init?.body ? JSON.parse(String(init.body)) : undefined });
    return answer();
  });
  const auth = createFakeAuth(fakeSession());
  auth.oauth.listGrants.mockResolvedValue({ data: grants, error: null });
  await renderWithProviders(<Guarded />, { auth, config });
  return { auth, sent, user: userEvent.setup(), answer: (next: () => Response) => (answer = next) };
}

const rowOf = async (name: string) => within((await screen.findByText(name)).closest('li') as HTMLElement);

test('programs are listed with what they may do and when they did it last', async () => {
  await open({ grants: [grant('Leitor', { last_used_at: '2025-03-06T10:00:00Z' }), grant('<b>Outro</b>')] });
  const row = await rowOf('Leitor');
  expect(row.getByText(/^Permitido em 05\/03\/2025 · Último uso: 06\/03\/2025 às/)).toBeTruthy();
  expect(row.getByText(/^Ver suas pastas/)).toBeTruthy();
  expect((await rowOf('<b>Outro</b>')).getByText('Permitido em 05/03/2025')).toBeTruthy();
});

test('a program that is disconnected goes, and no other', async () => {
  const { auth, user } = await open({ grants: [grant('Leitor'), grant('Outro')] });
  auth.oauth.revokeGrant.mockImplementation(async () => {
    auth.oauth.listGrants.mockResolvedValue({ data: [grant('Outro')], error: null });
    return { data: {}, error: null };
  });
  await user.click((await rowOf('Leitor')).getByRole('button', { name: 'Desconectar' }));
  expect(await screen.findByText('Programa desconectado')).toBeTruthy();
  await waitFor(() => expect(screen.queryByText('Leitor')).toBeNull());
  expect(auth.oauth.revokeGrant).toHaveBeenCalledExactlyOnceWith({ clientId: 'Leitor' });
  expect(screen.getByText('Outro')).toBeTruthy();
  expect(document.activeElement?.textContent).toBe('Programas conectados');
});

test('a refusal is told and the program stays', async () => {
  const { auth, user } = await open({ grants: [grant('Leitor')] });
  auth.oauth.revokeGrant.mockResolvedValue({
    data: null,
    error: authFailure('unexpected_failure', 'x', 500),
  });
  await user.click((await rowOf('Leitor')).getByRole('button', { name: 'Desconectar' }));
  expect(await screen.findByText('Não foi possível desconectar o programa. Tente de novo.')).toBeTruthy();
  expect(screen.getByText('Leitor')).toBeTruthy();
});

test('a token is made as it was wished for, shown once, and gone from the page with a press', async () => {
  const { sent, user, answer } = await open();
  const text = `lk_pat_${'a'.repeat(43)}`;
  answer(() => Response.json({ ...token('Casa'), token: text }, { status: 201 }));
  await user.type(await screen.findByLabelText('Nome'), ' Casa ');
  await user.click(screen.getByRole('checkbox', { name: /^Adicionar, mudar/ }));
  await user.selectOptions(screen.getByLabelText('Vale por'), '1 ano');
  await user.click(screen.getByRole('button', { name: 'Criar chave' }));
  expect((await screen.findByLabelText<HTMLInputElement>('A chave nova')).value).toBe(text);
  expect(sent).toEqual([
    {
      method: 'POST',
      url: 'http://servico.exemplo/auth/v1/user/tokens',
      body: { name: 'Casa', scope: 'links:read links:write', days: 365 },
    },
  ]);
  await user.click(screen.getByRole('button', { name: 'Já copiei' }));
  expect(screen.queryByDisplayValue(text)).toBeNull();
  expect(screen.getByLabelText<HTMLInputElement>('Nome').value).toBe('');
});

test('a token without a name or without anything to do is not asked for', async () => {
  const { sent, user } = await open();
  await user.click(await screen.findByRole('button', { name: 'Criar chave' }));
  expect(await screen.findByText('Dê um nome à chave.')).toBeTruthy();
  await user.type(screen.getByLabelText('Nome'), 'Casa');
  await user.click(screen.getByRole('checkbox', { name: /^Ver suas pastas/ }));
  await user.click(screen.getByRole('button', { name: 'Criar chave' }));
  expect(await screen.findByText('Marque o que ela pode fazer.')).toBeTruthy();
  expect(sent).toEqual([]);
});

test('what was typed stays where no token was made', async () => {
  const { user, answer } = await open();
  answer(() => Response.json({ error_code: 'too_many_personal_tokens', msg: 'x' }, { status: 422 }));
  await user.type(await screen.findByLabelText('Nome'), 'Casa');
  await user.click(screen.getByRole('button', { name: 'Criar chave' }));
  expect(await screen.findByText('Você já tem 20 chaves. Revogue uma que não usa mais.')).toBeTruthy();
  expect(screen.getByLabelText<HTMLInputElement>('Nome').value).toBe('Casa');
});

test('a token that is revoked goes from the list', async () => {
  const tokens = [token('Casa'), token('Trabalho')];
  const { sent, user } = await open({ tokens });
  const row = await rowOf('Casa');
  expect(row.getByText('Vale até 03/06/2025 · Ainda sem uso')).toBeTruthy();
  tokens.shift();
  await user.click(row.getByRole('button', { name: 'Revogar' }));
  expect(await screen.findByText('Chave revogada')).toBeTruthy();
  await waitFor(() => expect(screen.queryByText('Casa')).toBeNull());
  expect(sent.map(({ method, url }) => `${method} ${url}`)).toEqual([
    'DELETE http://servico.exemplo/auth/v1/user/tokens/id-Casa',
  ]);
});

test('the keyboard stays with the tokens when one is revoked, and goes to one that is made', async () => {
  const tokens = [token('Casa'), token('Trabalho')];
  const { user, answer } = await open({ tokens });
  const revoke = (await rowOf('Casa')).getByRole('button', { name: 'Revogar' });
  tokens.shift();
  await user.click(revoke);
  await screen.findByText('Chave revogada');
  await waitFor(() => expect(screen.queryByText('Casa')).toBeNull());
  expect(document.activeElement?.textContent).toBe('Chaves pessoais');
  answer(() => Response.json({ ...token('Nova'), token: 'lk_pat_x' }, { status: 201 }));
  await user.type(screen.getByLabelText('Nome'), 'Nova');
  await user.click(screen.getByRole('button', { name: 'Criar chave' }));
  expect(document.activeElement).toBe(await screen.findByLabelText('A chave nova'));
  await user.click(screen.getByRole('button', { name: 'Já copiei' }));
  expect(document.activeElement?.textContent).toBe('Chaves pessoais');
});

test('whoever has gone on stays there when a token is revoked', async () => {
  const tokens = [token('Casa'), token('Trabalho')];
  const { user, answer } = await open({ tokens });
  const revoke = (await rowOf('Casa')).getByRole('button', { name: 'Revogar' });
  answer(() => {
    tokens.shift();
    screen.getByLabelText('Nome').focus();
    return new Response(null, { status: 204 });
  });
  await user.click(revoke);
  await screen.findByText('Chave revogada');
  await waitFor(() => expect(screen.queryByText('Casa')).toBeNull());
  expect(document.activeElement).toBe(screen.getByLabelText('Nome'));
});

test('what a host does not have is not shown', async () => {
  await open({ config: { personalTokens: false } });
  await screen.findByText('Nenhum programa usa sua conta.');
  expect(screen.queryByText('Chaves pessoais')).toBeNull();
});

test('where programs may not ask there are tokens alone', async () => {
  const { auth } = await open({ config: { oauthServer: false } });
  await screen.findByText('Você não tem chaves.');
  expect(screen.queryByText('Programas conectados')).toBeNull();
  expect(auth.oauth.listGrants).not.toHaveBeenCalled();
});

test('the addresses for assistants are there to be copied, each with what it asks for', async () => {
  const { user } = await open();
  const section = within(await screen.findByRole('region', { name: 'Assistentes de IA' }));
  const [reading, writing, sharing] = section.getAllByRole('button', { name: 'Copiar endereço' });
  for (const [button, path] of [
    [reading, '/mcp'],
    [writing, '/mcp/write'],
    [sharing, '/mcp/share'],
  ] as const) {
    if (button) await user.click(button);
    expect(await navigator.clipboard.readText()).toBe(`${window.location.origin}${path}`);
  }
  expect(section.getByText(/^Também guardar/)).toBeTruthy();
  expect(section.getByText(/compartilhar categorias/)).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Como usar a API' }).getAttribute('href')).toBe('/api/v1/docs');
});

test('no address is shown where there is nobody behind it', async () => {
  await open({ config: { personalTokens: false } });
  expect(await screen.findByText('Nenhum programa usa sua conta.')).toBeTruthy();
  expect(screen.queryByRole('region', { name: 'Assistentes de IA' })).toBeNull();
});
