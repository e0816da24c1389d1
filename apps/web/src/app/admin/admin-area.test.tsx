import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import axe from 'axe-core';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { firstDayOf, STATISTICS_PERIODS } from '../../features/admin/model/statistics-period.ts';
import { createFakeAuth, fakeSession } from '../../shared/test/create-fake-auth.ts';
import { expectConsoleError } from '../../shared/test/setup-browser-tests.ts';
import { loadScreens, renderApp } from '../test/render-app.tsx';

type Answer = { readonly status?: number; readonly body: unknown };
type Arguments = Record<string, unknown>;

/** What the database answers the administrator, by function; a test puts its own in. */
let answers: Record<string, (args: Arguments) => Answer | Promise<Answer>>;
let calls: { readonly name: string; readonly args: Arguments }[];

const broken = () => ({ status: 500, body: { code: 'XX000', message: 'broken' } });
const user = (n: number) => ({
  id: `0000000${n}-0000-4000-8000-000000000000`,
  email: n === 3 ? null : `pessoa${n}@exemplo.com.br`,
  name: n === 2 ? null : `Pessoa ${n}`,
  created_at: '2026-03-05T10:30:00Z',
  plan: ['free', 'plus', 'pro'][n % 3],
  link_count: 1000 + n,
  folder_count: n,
  last_login: n === 1 ? '2026-04-06T10:30:00Z' : null,
  storage_used: 52_428_800,
  storage_limit: 104_857_600,
  closed_for: [null, 'inactivity', 'deletion', null][n - 1],
  restorable_until: n === 3 ? '2027-03-31T10:30:00Z' : null,
});
const link = (fields: object) => ({
  id: crypto.randomUUID(),
  title: 'Um artigo',
  url: 'https://www.exemplo.com.br/artigo',
  created_at: '2026-02-01T10:30:00Z',
  category: { id: 'c', name: 'Leituras' },
  favorite: false,
  ...fields,
});

beforeAll(async () => {
  await loadScreens();
  await Promise.all([
    import('./admin-route.tsx'),
    import('./admin-area.tsx'),
    import('../../features/admin/components/admin-dashboard.tsx'),
    import('../../features/admin/components/users-page.tsx'),
    import('../../features/admin/components/subscriptions-page.tsx'),
    import('../../features/admin/components/statistics-page.tsx'),
    import('../../features/admin/components/audit-page.tsx'),
  ]);
}, 60_000);

beforeEach(() => {
  calls = [];
  answers = {
    is_admin: () => ({ body: true }),
    admin_overview: () => ({
      body: {
        total_users: 1234,
        premium_users: 56,
        monthly_revenue: [{ currency: 'usd', cents: 19_945 }],
        storage_used: 1_610_612_736,
        recent_users: [1, 2, 3].map(user),
      },
    }),
    admin_list_users: ({ page }) => ({
      body: { total: 95, users: page === 10 ? [user(4)] : [1, 2, 3].map(user) },
    }),
    admin_user_links: () => ({
      body: { total: 2, links: [link({}), link({ title: ' ', category: null, url: 'javascript:alert(1)' })] },
    }),
    admin_change_plan: () => ({
      status: 403,
      body: { code: '42501', message: 'não', hint: 'payment_provider_only' },
    }),
  };
  vi.stubGlobal('fetch', async (input: string | URL | Request, init?: RequestInit) => {
    const name = new URL(input instanceof Request ? input.url : input).pathname.split('/').at(-1) ?? '';
    const args = typeof init?.body === 'string' ? JSON.parse(init.body) : {};
    calls.push({ name, args });
    const { status = 200, body } = (await answers[name]?.(args)) ?? { body: [] };
    return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });
  });
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null);
  // As index.html begins.
  document.documentElement.lang = 'pt-BR';
  document.title = 'Linkoteca';
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const open = (path: string) => ({
  ...renderApp(path, { auth: createFakeAuth(fakeSession()) }),
  hands: userEvent.setup(),
});
const argumentsOf = (name: string) => calls.filter((call) => call.name === name).map(({ args }) => args);

async function expectNoViolations() {
  const { violations } = await axe.run(document, {
    rules: { 'color-contrast': { enabled: false } },
    resultTypes: ['violations'],
    preload: false,
  });
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([]);
}

describe('the gate', () => {
  test('says that it is checking until it knows', async () => {
    answers['is_admin'] = () => new Promise(() => undefined);
    open('/diane');
    expect(await screen.findByText('Verificando permissões administrativas...')).toBeTruthy();
    expect(screen.queryByText('GESTÃO')).toBeNull();
  });

  test('keeps others out, with the way to their own links, and asks nothing of anybody', async () => {
    answers['is_admin'] = () => ({ body: false });
    open('/diane/users');
    expect(await screen.findByRole('heading', { name: 'Acesso Restrito' })).toBeTruthy();
    expect(screen.getByText(/exclusiva para administradores/)).toBeTruthy();
    expect(screen.getByText(/contato com o suporte/)).toBeTruthy();
    expect(screen.getAllByRole('link').map((each) => each.getAttribute('href'))).toEqual([
      '/terms',
      '/dashboard',
    ]);
    expect(calls.map(({ name }) => name)).toEqual(['is_admin']);
    await expectNoViolations();
  });

  test('sends visitors to the front page, and names the address of who runs the place', async () => {
    renderApp('/diane', { config: { supportEmail: 'ajuda@exemplo.com.br' } });
    expect(await screen.findByRole('heading', { name: 'Acesso Restrito' })).toBeTruthy();
    expect(screen.getByRole('link', { name: 'ajuda@exemplo.com.br' }).getAttribute('href')).toBe(
      'mailto:ajuda@exemplo.com.br',
    );
    expect(screen.getByRole('link', { name: 'Ir para o início' }).getAttribute('href')).toBe('/');
    expect(calls).toEqual([]);
  });

  test('that cannot find out says so, and asks again when told to', async () => {
    answers['is_admin'] = broken;
    const { hands } = open('/diane');
    const message = 'Ocorreu um erro ao verificar as permissões administrativas.';
    expect(await screen.findByRole('heading', { name: message })).toBeTruthy();
    expect(screen.getByText('Por favor, tente novamente mais tarde ou contate o suporte.')).toBeTruthy();
    answers['is_admin'] = () => ({ body: true });
    await hands.click(screen.getByRole('button', { name: 'Tentar de novo' }));
    expect(await screen.findByRole('heading', { name: 'Painel de Administração' })).toBeTruthy();
    expectConsoleError(/read failed/);
  });

  test('leads nowhere from a path that is not, and back', async () => {
    open('/diane/nada');
    expect(await screen.findByRole('heading', { name: 'Página não encontrada' })).toBeTruthy();
  });
});

describe('the dashboard', () => {
  test('shows four figures and the newest users, without a barrier', async () => {
    open('/diane');
    expect(await screen.findByText('1.234')).toBeTruthy();
    for (const [label, value] of [
      ['Total de Usuários', '1.234'],
      ['Receita Mensal', 'US$ 199,45'],
      ['Assinaturas Premium', '56'],
      ['Armazenamento Total', '1,5 GB'],
    ] as const)
      expect(screen.getByText(label).parentElement?.textContent).toBe(label + value);
    const table = screen.getByRole('table', { name: 'Recent Users' });
    expect(
      within(table)
        .getAllByRole('columnheader')
        .map((cell) => cell.textContent),
    ).toEqual(['Usuário', 'Plano', 'Data de Registro', 'Links', 'Ações']);
    expect(within(table).getAllByRole('row')[1]?.textContent).toContain(
      'pessoa1@exemplo.com.brPessoa 1Plus05/03/20261.001',
    );
    // Somebody without an address gets one made from the beginning of the id.
    expect(within(table).getByText('usuario-00000003@sem-email.invalid')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Ver todos' }).getAttribute('href')).toBe('/diane/users');
    const navigation = screen.getByRole('navigation', { name: 'Administração' });
    expect(within(navigation).getByRole('heading', { name: 'GESTÃO' }).parentElement?.textContent).toBe(
      'GESTÃODashboardUsuáriosPlanos e AssinaturasEstatísticas',
    );
    expect(screen.getByText('Admin')).toBeTruthy();
    await expectNoViolations();
  });

  const happen = (event: 'blur' | 'focus' | 'visibilitychange') => window.dispatchEvent(new Event(event));

  test('is read again when the window regains focus from one beside it', async () => {
    open('/diane');
    await screen.findByText('1.234');
    for (const times of [1, 2]) {
      happen('blur');
      happen('focus');
      await waitFor(() => expect(argumentsOf('admin_overview')).toHaveLength(1 + times));
    }
  });

  test('is read again once when the tab is seen again, though its window has the focus again, too', async () => {
    open('/diane');
    await screen.findByText('1.234');
    const visibility = vi.spyOn(document, 'visibilityState', 'get');
    happen('blur');
    visibility.mockReturnValue('hidden');
    happen('visibilitychange');
    visibility.mockReturnValue('visible');
    happen('visibilitychange');
    await waitFor(() => expect(argumentsOf('admin_overview')).toHaveLength(2));
    await screen.findByText('1.234');
    happen('focus');
    // A blur in between, and it counts: what was asked before it would have been heard of by now.
    happen('blur');
    happen('focus');
    await waitFor(() => expect(argumentsOf('admin_overview').length).toBeGreaterThan(2));
    expect(argumentsOf('admin_overview')).toHaveLength(3);
  });

  test('without an answer shows zeros, an empty table and a notice, and asks again when told to', async () => {
    const works = answers['admin_overview'];
    answers['admin_overview'] = broken;
    const { hands } = open('/diane');
    expect(await screen.findByText('Erro ao carregar usuários. Tente novamente.')).toBeTruthy();
    expect(screen.getByText('US$ 0,00')).toBeTruthy();
    expect(screen.getByText('Nenhum usuário encontrado')).toBeTruthy();
    if (works) answers['admin_overview'] = works;
    await hands.click(screen.getByRole('button', { name: 'Tentar de novo' }));
    expect(await screen.findByText('1.234')).toBeTruthy();
    expectConsoleError(/read failed/);
  });

  test('takes an answer of nothing, as those get who no longer administer, for a failure', async () => {
    answers['admin_overview'] = () => ({ body: null });
    open('/diane');
    expect(await screen.findByText('Erro ao carregar usuários. Tente novamente.')).toBeTruthy();
    expectConsoleError(/read failed/);
  });

  test('asks once more where the first call only goes on record', async () => {
    const overview = answers['admin_overview'];
    answers['admin_overview'] = (args) =>
      argumentsOf('admin_overview').length === 1 ? { body: null } : (overview?.(args) ?? { body: null });
    open('/diane');
    expect(await screen.findByText('1.234')).toBeTruthy();
    expect(argumentsOf('admin_overview')).toHaveLength(2);
  });

  test('the search in the header leads to the list', async () => {
    const { hands, path } = open('/diane');
    await hands.type(await screen.findByRole('textbox', { name: 'Buscar usuários' }), ' Ana@ {Enter}');
    expect(await screen.findByRole('heading', { name: 'Usuários' })).toBeTruthy();
    expect(path()).toBe('/diane/users?q=Ana%40');
    await waitFor(() =>
      expect(argumentsOf('admin_list_users')).toEqual([{ search: 'Ana@', page: 1, page_size: 10 }]),
    );
  });
});

describe('the list of users', () => {
  test('searches, filters and turns pages in the database; a search and a filter begin at page 1', async () => {
    const { hands, path } = open('/diane/users');
    expect(await screen.findByText('Total: 95 usuários')).toBeTruthy();
    const pages = () => within(screen.getByRole('navigation', { name: 'Páginas de usuários' }));
    const press = (name: string) => hands.click(pages().getByRole('button', { name }));
    const isDisabled = (name: string) => pages().getByRole<HTMLButtonElement>('button', { name }).disabled;
    expect(isDisabled('Página anterior')).toBe(true);
    await press('Página 10');
    expect(await screen.findByText('pessoa4@exemplo.com.br')).toBeTruthy();
    expect(isDisabled('Próxima página')).toBe(true);
    expect(isDisabled('Página anterior')).toBe(false);
    await press('Página anterior');
    await waitFor(() => expect(path()).toBe('/diane/users?page=9'));

    const box = screen.getByRole('textbox', { name: 'Buscar por e-mail' });
    await hands.type(box, 'pessoa{Enter}');
    await waitFor(() => expect(path()).toBe('/diane/users?q=pessoa'));
    await press('Página 2');
    await hands.selectOptions(screen.getByRole('combobox', { name: 'Filtrar por plano' }), 'Pro');
    await waitFor(() => expect(path()).toBe('/diane/users?q=pessoa&plan=pro'));
    const form = box.closest('form');
    if (form) await hands.click(within(form).getByRole('button', { name: 'Limpar busca' }));
    await waitFor(() => expect(path()).toBe('/diane/users?plan=pro'));
    await hands.selectOptions(
      screen.getByRole('combobox', { name: 'Filtrar por situação da conta' }),
      'Excluídas',
    );
    await waitFor(() => expect(path()).toBe('/diane/users?plan=pro&state=deletion'));
    expect(argumentsOf('admin_list_users').at(-1)).toEqual({
      search: '',
      page: 1,
      page_size: 10,
      plan: 'pro',
      closed_for: 'deletion',
    });
    await expectNoViolations();
  });

  test('tells of each the plan, the storage, and says when there is nobody', async () => {
    const { hands } = open('/diane/users?page=abc&plan=gold');
    const [meter] = await screen.findAllByRole('progressbar', { name: 'Armazenamento: 50 MB / 100 MB' });
    expect(meter?.getAttribute('aria-valuenow')).toBe('50');
    expect(screen.getByText('06/04/2026')).toBeTruthy();
    const row = (email: string) => within(screen.getByText(email).closest('tr') as HTMLElement);
    expect(row('pessoa2@exemplo.com.br').getByText('Suspensa por falta de uso')).toBeTruthy();
    expect(screen.getByText('Excluída, restaurável até 31/03/2027')).toBeTruthy();
    expect(row('pessoa1@exemplo.com.br').queryByText(/Suspensa|Excluída/)).toBeNull();
    expect(argumentsOf('admin_list_users')).toEqual([{ search: '', page: 1, page_size: 10 }]);
    answers['admin_list_users'] = () => ({ body: { total: 0, users: [] } });
    await hands.type(screen.getByRole('textbox', { name: 'Buscar por e-mail' }), 'x{Enter}');
    expect(await screen.findByText('Nenhum usuário encontrado')).toBeTruthy();
    expect(screen.queryByRole('navigation', { name: 'Páginas de usuários' })).toBeNull();
  });

  test('a failure leaves an empty list, zero and a notice that can be closed', async () => {
    answers['admin_list_users'] = broken;
    const { hands } = open('/diane/users');
    const text = 'Erro ao carregar usuários. Tente novamente.';
    expect(await screen.findByText(text)).toBeTruthy();
    expect(screen.getByText('Total: 0 usuários')).toBeTruthy();
    expect(screen.getByText('Nenhum usuário encontrado')).toBeTruthy();
    await hands.click(screen.getByRole('button', { name: 'Fechar aviso' }));
    expect(screen.queryByText(text)).toBeNull();
    expectConsoleError(/read failed/);
  });
});

describe('the pop-ups', () => {
  test('a user’s links: title, host, category, date, and a way to open only what is an address', async () => {
    const { hands } = open('/diane/users');
    await hands.click(await screen.findByRole('button', { name: 'Ver links de pessoa1@exemplo.com.br' }));
    const dialog = await screen.findByRole('dialog', { name: 'Links do usuário' });
    const [first, second] = await within(dialog).findAllByRole('listitem');
    expect(first?.textContent).toBe('Um artigowww.exemplo.com.br · Leituras · 01/02/2026Abrir');
    const way = within(dialog).getByRole('link', { name: 'Abrir link Um artigo' });
    expect([way.getAttribute('target'), way.getAttribute('rel')]).toEqual(['_blank', 'noopener noreferrer']);
    expect(second?.textContent).toContain('Sem título');
    expect(second?.textContent).toContain('Sem categoria');
    expect(within(dialog).getAllByRole('link')).toHaveLength(1);
    await expectNoViolations();
  });

  test('says when there are none, and when they could not be read', async () => {
    answers['admin_user_links'] = () => ({ body: { total: 0, links: [] } });
    const { hands } = open('/diane/users');
    await hands.click(await screen.findByRole('button', { name: 'Ver links de pessoa1@exemplo.com.br' }));
    expect(await screen.findByText('Este usuário não possui links cadastrados')).toBeTruthy();
    await hands.click(screen.getByRole('button', { name: 'Fechar' }));
    answers['admin_user_links'] = broken;
    await hands.click(screen.getByRole('button', { name: 'Ver links de pessoa2@exemplo.com.br' }));
    expect(await screen.findByText('Erro ao carregar os links. Tente novamente.')).toBeTruthy();
    expect(screen.getByText('Este usuário não possui links cadastrados')).toBeTruthy();
    expectConsoleError(/read failed/);
  });

  test('a change of plan is asked for, refused, and its notice is gone after five seconds', async () => {
    let refuse: (answer: Answer) => void = () => undefined;
    answers['admin_change_plan'] = () => new Promise((resolve) => (refuse = resolve));
    const { hands } = open('/diane/users');
    await hands.click(await screen.findByRole('button', { name: 'Alterar plano de pessoa1@exemplo.com.br' }));
    const dialog = await screen.findByRole('dialog', { name: 'Alterar plano' });
    expect(
      within(dialog)
        .getAllByRole('radio')
        .map((each) => each.parentElement?.textContent),
    ).toEqual(['Free', 'Plusatual', 'Pro']);
    expect(within(dialog).getByRole('button', { name: 'Cancelar' })).toBeTruthy();
    await expectNoViolations();
    await hands.click(within(dialog).getByRole('radio', { name: /Pro/ }));
    await hands.click(within(dialog).getByRole('button', { name: 'Confirmar' }));
    expect(await screen.findByText('Atualizando plano para pro...')).toBeTruthy();
    expect(argumentsOf('admin_change_plan')).toEqual([{ user_id: user(1).id, plan: 'pro' }]);
    vi.useFakeTimers();
    refuse({ status: 403, body: { code: '42501', message: 'não' } });
    const failed = 'Erro ao atualizar plano. Tente novamente.';
    await vi.waitFor(() => expect(screen.getByText(failed)).toBeTruthy(), 15_000);
    await vi.advanceTimersByTimeAsync(4_000);
    expect(screen.getByText(failed)).toBeTruthy();
    await vi.advanceTimersByTimeAsync(1_100);
    await vi.waitFor(() => expect(screen.queryByText(failed)).toBeNull(), 15_000);
  });

  test('a plan that were changed would be told of after a second; an answer that says nothing is a refusal', async () => {
    const { hands } = open('/diane/users');
    const ask = async () => {
      await hands.click(
        await screen.findByRole('button', { name: 'Alterar plano de pessoa1@exemplo.com.br' }),
      );
      await hands.click(await screen.findByRole('radio', { name: /Pro/ }));
      await hands.click(screen.getByRole('button', { name: 'Confirmar' }));
    };
    answers['admin_change_plan'] = () => ({ body: {} });
    await ask();
    expect(await screen.findByText('Erro ao atualizar plano. Tente novamente.')).toBeTruthy();
    answers['admin_change_plan'] = () => ({ body: { changed: true } });
    const before = argumentsOf('admin_list_users').length;
    await ask();
    expect(await screen.findByText('Plano do usuário atualizado para Pro com sucesso!')).toBeTruthy();
    expect(argumentsOf('admin_list_users').length).toBeGreaterThan(before);
  });
});

describe('planos, estatísticas and the record', () => {
  test('subscriptions by state with their revenue, and a page of them', async () => {
    answers['admin_subscriptions'] = ({ state }) => ({
      body: {
        monthly_revenue: [
          { currency: 'usd', cents: 532 },
          { currency: 'brl', cents: 1500 },
        ],
        states: [
          { state: 'active', count: 3, monthly_revenue: [{ currency: 'usd', cents: 532 }] },
          { state: 'payment_failed', count: 1, monthly_revenue: [] },
        ],
        plans: [{ plan: 'pro', billing_interval: 'year', currency: 'usd', count: 2, monthly_cents: 333 }],
        total: 1,
        subscriptions: [
          {
            user_id: user(1).id,
            email: `${state ?? 'todas'}@exemplo.com.br`,
            name: null,
            plan: 'pro',
            state: state ?? 'active',
            billing_interval: 'year',
            amount_cents: 3990,
            currency: 'usd',
            current_period_end: '2027-01-02T10:30:00Z',
            trial_end: null,
          },
        ],
      },
    });
    const { hands } = open('/diane/plans');
    expect(await screen.findByText('US$ 5,32 + R$ 15,00')).toBeTruthy();
    const states = screen.getByRole('table', { name: 'Por estado' });
    expect(within(states).getByRole('row', { name: /^Ativa/ }).textContent).toBe('Ativa3US$ 5,32');
    expect(within(states).getByRole('row', { name: /^Reembolsada/ }).textContent).toBe(
      'Reembolsada0US$ 0,00',
    );
    expect(screen.getByRole('row', { name: /Pro anual/ }).textContent).toBe('Pro anual2US$ 3,33');
    expect(screen.getByRole('row', { name: /todas@/ }).textContent).toContain('US$ 39,90 por ano02/01/2027');
    await hands.selectOptions(screen.getByRole('combobox', { name: 'Filtrar por estado' }), 'Expirada');
    expect(await screen.findByText('expired@exemplo.com.br')).toBeTruthy();
    await expectNoViolations();
  });

  test('figures over time as charts that the keyboard walks, and as tables', async () => {
    answers['admin_statistics'] = ({ unit }) => ({
      body: {
        unit,
        entries: ['2026-11-01', '2026-12-01'].map((starts_on, n) => ({
          starts_on,
          sign_ups: 3 + n,
          active_users: 5,
          links_created: 0,
          storage_used: 2048,
        })),
      },
    });
    const { hands } = open('/diane/statistics');
    const chart = await screen.findByRole('listbox', { name: 'Cadastros, gráfico de barras' });
    expect(within(chart).getAllByRole('option')).toHaveLength(2);
    chart.focus();
    await hands.keyboard('{ArrowLeft}');
    const chosen = within(chart).getByRole('option', { selected: true });
    expect(chosen.getAttribute('aria-label')).toBe('01/11/2026: 3');
    expect(chart.getAttribute('aria-activedescendant')).toBe(chosen.id);
    await hands.click(screen.getByRole('button', { name: '12 meses' }));
    expect(await within(chart).findByRole('option', { name: 'novembro de 2026: 3' })).toBeTruthy();
    expect(argumentsOf('admin_statistics').at(-1)).toMatchObject({ unit: 'month' });
    const [toTable] = screen.getAllByText('Ver como tabela');
    if (toTable) await hands.click(toTable);
    expect((await screen.findByRole('row', { name: 'dezembro de 2026 4' })).textContent).toBe(
      'dezembro de 20264',
    );
    await expectNoViolations();
  });

  test.each([
    ['2026-08-31', '2025-09'],
    ['2026-05-31', '2025-06'],
    ['2027-01-29', '2026-02'],
    ['2026-12-01', '2026-01'],
    ['2028-03-01', '2027-04'],
  ])('twelve months that end on %s begin in %s', (day, month) => {
    expect(firstDayOf(STATISTICS_PERIODS[3], new Date(`${day}T15:00:00Z`)).slice(0, 7)).toBe(month);
  });

  test('who looked at what, in words', async () => {
    const entry = {
      happened_at: '2026-05-04T10:30:00Z',
      admin_id: user(1).id,
      admin_email: 'diane@exemplo.com.br',
    };
    answers['admin_audit'] = () => ({
      body: {
        total: 3,
        entries: [
          {
            ...entry,
            id: 3,
            action: 'subscriptions',
            details: { state: 'payment_failed', page: 2 },
            user_id: null,
            user_email: null,
          },
          {
            ...entry,
            id: 2,
            action: 'users',
            details: { search: 'ana', plan: 'pro', page: 2 },
            user_id: null,
            user_email: null,
          },
          {
            ...entry,
            id: 1,
            action: 'user_links',
            details: { page: 1 },
            user_id: user(2).id,
            user_email: null,
          },
        ],
      },
    });
    open('/diane/audit');
    const first = await screen.findByRole('row', { name: /Listou usuários/ });
    expect(first.textContent).toContain(
      'diane@exemplo.com.brListou usuários—busca “ana”, plano Pro, página 2',
    );
    expect(screen.getByRole('row', { name: /Viu as assinaturas/ }).textContent).toContain(
      'estado Falha no pagamento, página 2',
    );
    expect(screen.getByRole('row', { name: /Viu os links/ }).textContent).toContain(
      'usuario-00000002@sem-email.invalid—',
    );
    await expectNoViolations();
  });

  test('without an answer they stay empty, with a notice', async () => {
    for (const path of ['plans', 'statistics']) {
      answers[`admin_${{ plans: 'subscriptions' }[path] ?? path}`] = broken;
      const { unmount } = open(`/diane/${path}`);
      expect(await screen.findByText('Erro ao carregar os dados. Tente novamente.')).toBeTruthy();
      expect(screen.getByRole('button', { name: 'Tentar de novo' })).toBeTruthy();
      unmount();
    }
    expectConsoleError(/read failed/);
  });
});
