import { CACHE_MS } from '@linkoteca/domain/limits';
import { sharedPath } from '@linkoteca/domain/sharing';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import { encode } from 'uqr';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { rememberUndo } from '../../shared/lib/writes/undo-history.ts';
import { createFakeAuth, fakeSession } from '../../shared/test/create-fake-auth.ts';
import { expectConsoleError } from '../../shared/test/setup-browser-tests.ts';
import { beginWithLibrary } from '../test/begin-with-library.ts';
import type { Refusal } from '../test/fake-library.ts';
import { renderApp } from '../test/render-app.tsx';

const BROKEN: Refusal = {
  status: 500,
  body: { code: 'XX000', message: 'interno', details: null, hint: null },
};
const GATE: Refusal = {
  status: 400,
  body: { code: 'P0001', message: 'Recurso indisponível', details: null, hint: 'plan_sharing' },
};

const library = beginWithLibrary();
/** What the function for mails was told. */
let mails: unknown[];

beforeEach(() => {
  localStorage.clear();
  mails = [];
  vi.stubGlobal('fetch', async (input: string | URL | Request, init?: RequestInit) => {
    if (String(input).endsWith('/functions/v1/share-notification')) {
      mails.push(JSON.parse(String(init?.body)));
      throw new TypeError('Failed to fetch');
    }
    return library.fetch(input, init);
  });
});

interface Start {
  readonly plan?: string;
  readonly isPublic?: boolean;
  readonly emails?: readonly string[];
  readonly config?: NonNullable<Parameters<typeof renderApp>[1]>['config'];
}

/** Hands that do not rest between keys: the sentences type a lot. */
function openSignedIn(path: string, config: Start['config'] = {}) {
  const app = renderApp(path, { auth: createFakeAuth(fakeSession()), config });
  return { ...app, user: userEvent.setup({ delay: null }) };
}

/** Opens 'Redes', shared so, as somebody with such a plan. */
async function openCategory({ plan = 'pro', isPublic = false, emails = [], config = {} }: Start = {}) {
  const userId = fakeSession().user.id;
  library.tables['subscribers'] = [{ user_id: userId, plan, subscription_status: 'active' }];
  library.tables['profiles'] = [{ id: userId, plan }];
  const folder = library.add('folders', { name: 'Estudos' });
  const category = library.add('categories', { name: 'Redes', folder_id: folder['id'], is_public: isPublic });
  for (const email of emails) library.add('shared_with', { category_id: category['id'], email });
  const app = openSignedIn(`/category/${String(category['id'])}`, config);
  await screen.findByRole('heading', { level: 1, name: 'Redes' });
  return { ...app, id: String(category['id']) };
}

async function openDialog(start: Start = {}) {
  const app = await openCategory(start);
  await app.user.click(await screen.findByRole('button', { name: 'Compartilhar' }));
  const dialog = await screen.findByRole('dialog', { name: 'Compartilhar categoria' });
  await within(dialog).findByRole('radio', { name: 'Privada' });
  const pick = (name: string) => app.user.click(within(dialog).getByRole('radio', { name }));
  const save = () => app.user.click(within(dialog).getByRole('button', { name: 'Salvar' }));
  const listed = () =>
    within(dialog)
      .queryAllByRole('listitem')
      .map((item) => item.firstChild?.textContent);
  return { ...app, dialog, pick, save, listed };
}

const PUBLIC = 'Pública, por link';
const RESTRICTED = 'Restrita, somente e-mails';
const field = () => screen.getByLabelText<HTMLInputElement>('Convidar por e-mail');
const stored = () => library.table('shared_with').map((row) => row['email']);

/** What limits the public page of a category. */
const limitsOf = (categoryId: unknown) => library.table('page_limits').find(({ id }) => id === categoryId);

describe('sharing', () => {
  test('by link until a day: it is said before the page opens, and can be moved', async () => {
    const { user, dialog, pick, save, id } = await openDialog();
    await pick(PUBLIC);
    const order: string[] = [];
    library.control.beforeWrite = async (relation) => void order.push(relation);
    await user.selectOptions(within(dialog).getByLabelText('Prazo'), 'Por 7 dias');
    const before = Date.now();
    await save();
    await waitFor(() => expect(dialog.isConnected).toBe(false));
    expect(order.filter((name) => /set_page_end|save_sharing/.test(name))).toEqual([
      'rpc/set_page_end',
      'rpc/save_sharing',
    ]);
    const end = Date.parse(String(limitsOf(id)?.['ends_at']));
    expect(Math.abs(end - before - 7 * 86_400_000)).toBeLessThan(60_000);
    // Beside its address, and in the dialog, from where it goes on.
    expect(await screen.findByText(/^Até \d\d\/\d\d\/\d{4} às/)).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Compartilhar' }));
    const again = await screen.findByRole('dialog', { name: 'Compartilhar categoria' });
    const choice = await within(again).findByLabelText<HTMLSelectElement>('Prazo');
    expect(choice.selectedOptions[0]?.textContent).toMatch(/^Até /);
    await user.selectOptions(choice, 'Até uma data…');
    const day = within(again).getByLabelText('Último dia');
    fireEvent.change(day, { target: { value: '2020-01-01' } });
    await user.click(within(again).getByRole('button', { name: 'Salvar' }));
    expect(within(again).getByText('Escolha um dia de hoje em diante.')).toBeTruthy();
    await user.selectOptions(choice, 'Sem prazo');
    await user.click(within(again).getByRole('button', { name: 'Salvar' }));
    await waitFor(() => expect(limitsOf(id)).toMatchObject({ ends_at: null }));
  });

  test('by link with a password: long enough, set before the page opens, changed and taken away', async () => {
    const { user, dialog, pick, save, id } = await openDialog();
    await pick(PUBLIC);
    const order: string[] = [];
    library.control.beforeWrite = async (relation) => void order.push(relation);
    await user.click(within(dialog).getByRole('switch', { name: 'Pedir senha' }));
    await user.type(within(dialog).getByLabelText('Senha da página'), '1234567');
    await save();
    expect(within(dialog).getByLabelText('Senha da página').getAttribute('aria-invalid')).toBe('true');
    expect(order.filter((name) => /page|save/.test(name))).toEqual([]);
    await user.type(within(dialog).getByLabelText('Senha da página'), '8');
    await save();
    await waitFor(() => expect(dialog.isConnected).toBe(false));
    expect(order.filter((name) => /set_page|save_sharing/.test(name))).toEqual([
      'rpc/set_page_password',
      'rpc/save_sharing',
    ]);
    expect(limitsOf(id)).toMatchObject({ password: '12345678' });
    expect(await screen.findByText(/^Com senha/)).toBeTruthy();

    const openAgain = async () => {
      await user.click(screen.getByRole('button', { name: 'Compartilhar' }));
      const again = await screen.findByRole('dialog', { name: 'Compartilhar categoria' });
      const isOn = await within(again).findByRole<HTMLInputElement>('switch', { name: 'Pedir senha' });
      return { again, isOn, save: () => user.click(within(again).getByRole('button', { name: 'Salvar' })) };
    };
    const second = await openAgain();
    expect(second.isOn.checked).toBe(true);
    // Nobody reads the old one again.
    expect(within(second.again).queryByLabelText('Senha da página')).toBeNull();
    await user.click(within(second.again).getByRole('button', { name: 'Trocar a senha' }));
    await user.type(within(second.again).getByLabelText('Senha da página'), 'outra senha');
    await second.save();
    await waitFor(() => expect(limitsOf(id)).toMatchObject({ password: 'outra senha' }));
    await waitFor(() => expect(second.again.isConnected).toBe(false));

    const third = await openAgain();
    await user.click(third.isOn);
    await third.save();
    await waitFor(() => expect(limitsOf(id)).toMatchObject({ password: null }));
    await waitFor(() => expect(screen.queryByText(/^Com senha/)).toBeNull());
  });

  test('a page that has ended says so beside its address', async () => {
    const userId = fakeSession().user.id;
    library.tables['subscribers'] = [{ user_id: userId, plan: 'pro', subscription_status: 'active' }];
    const folder = library.add('folders', { name: 'Estudos' });
    const category = library.add('categories', { name: 'Redes', folder_id: folder['id'], is_public: true });
    library
      .table('page_limits')
      .push({ id: category['id'], ends_at: '2020-01-01T12:00:00Z', has_password: false });
    openSignedIn(`/category/${String(category['id'])}`);
    expect(await screen.findByText(/^Terminou: /)).toBeTruthy();
  });

  test('by link: one save, badge and link in the header, a mark in the sidebar; the link is copied', async () => {
    const { user, dialog, pick, save, id } = await openDialog();
    const link = `${window.location.origin}/shared/${id}`;
    expect(within(dialog).queryByDisplayValue(link)).toBeNull();
    await pick(PUBLIC);
    expect(within(dialog).getByRole<HTMLInputElement>('radio', { name: 'Privada' }).checked).toBe(false);
    expect(within(dialog).getByDisplayValue(link)).toBeTruthy();
    // Nothing to hand on before it works.
    expect(within(dialog).getByRole('button', { name: 'Copiar link' })).toHaveProperty('disabled', true);
    await save();
    expect(await screen.findByText('Configurações de compartilhamento salvas')).toBeTruthy();
    expect(screen.getByText('Categoria compartilhada com sucesso')).toBeTruthy();
    expect(library.table('categories')[0]?.['is_public']).toBe(true);
    expect(mails).toEqual([]);
    await waitFor(() => expect(dialog.isConnected).toBe(false));
    expect(screen.getByText('Pública')).toBeTruthy();
    expect(screen.getByRole('treeitem', { name: 'Redes' }).getAttribute('aria-description')).toContain(
      'compartilhada por link',
    );
    await user.click(await screen.findByRole('button', { name: 'Copiar link' }));
    // What people see and hand on from the page is the readable address; the dialog keeps the one that never changes.
    const readable = `${window.location.origin}${sharedPath({ id, name: 'Redes' })}`;
    expect(await navigator.clipboard.readText()).toBe(readable);
    expect(screen.getByRole('link', { name: readable.replace('http://', '') }).getAttribute('href')).toBe(
      readable,
    );
    expect(await screen.findByText('Link copiado para a área de transferência')).toBeTruthy();
  });

  test('with e-mails: typed, pasted and separated ones are stored in lower case; only new ones are told the mailer, whose failure fails nothing', async () => {
    const { user, pick, save, listed, id } = await openDialog({ emails: ['ja@exemplo.com'] });
    await pick(RESTRICTED);
    expect(screen.getByRole('button', { name: 'Enviar convites' })).toHaveProperty('disabled', true);
    await user.type(field(), '  Lia@Exemplo.com{Enter}');
    // One Enter too many does not send.
    await user.type(field(), '{Enter}');
    expect(screen.getByRole('dialog', { name: 'Compartilhar categoria' })).toBeTruthy();
    expect(stored()).toEqual(['ja@exemplo.com']);
    await user.type(field(), 'bia@exemplo.com,');
    await user.click(field());
    await user.paste('Caio Lima <caio@exemplo.com>; LIA@exemplo.com\ndani@exemplo.com');
    expect(screen.getByRole('alert').textContent).toBe('Este email já foi adicionado: lia@exemplo.com');
    expect(field().value).toBe('');
    await user.click(field());
    await user.paste('ja@exemplo.com, bia@exemplo.com, nada, JA@exemplo.com');
    expect(screen.getByRole('alert').textContent).toBe(
      'Por favor, insira um email válido · Estes e-mails já foram adicionados: ja@exemplo.com, bia@exemplo.com',
    );
    expect(field().value).toBe('');
    expect(listed().slice(1)).toEqual([
      'bia@exemplo.com',
      'caio@exemplo.com',
      'dani@exemplo.com',
      'nada',
      'ja@exemplo.com',
    ]);
    // Nothing goes out while something has to be mended, and nothing is lost.
    await save();
    expect(stored()).toEqual(['ja@exemplo.com']);
    await user.type(field(), '{Backspace}');
    expect(screen.queryByRole('alert')).toBeNull();
    // What still stands in the field counts.
    expect(screen.getByRole('button', { name: 'Enviar 4 convites' })).toBeTruthy();
    await user.type(field(), 'eva@exemplo.com');
    await user.click(screen.getByRole('button', { name: 'Enviar 5 convites' }));
    expect(await screen.findByText('Configurações de compartilhamento salvas')).toBeTruthy();
    const added = ['lia', 'bia', 'caio', 'dani', 'eva'].map((name) => `${name}@exemplo.com`);
    expect(new Set(stored())).toEqual(new Set([...added, 'ja@exemplo.com']));
    expect(mails).toEqual([
      { categoryId: id, categoryName: 'Redes', description: null, ownerName: 'Ana de Souza', emails: added },
    ]);
    expect(await screen.findByText('Compartilhamento Restrito')).toBeTruthy();
  });

  test('refuses what is no address, what is there already, the own one and nobody at all; what is typed stays to be mended', async () => {
    const { user, pick, save, listed } = await openDialog({ emails: ['ja@exemplo.com'] });
    await pick(RESTRICTED);
    const own = fakeSession().user.email ?? '';
    for (const [typed, error, kept] of [
      ['isto não', 'Por favor, insira um email válido', ['isto', 'não']],
      ['JA@exemplo.com', 'Este email já foi adicionado', []],
      [own, 'Você já tem acesso à sua categoria', [own]],
    ] as const) {
      await user.type(field(), `${typed}{Enter}`);
      expect(screen.getByRole('alert').textContent).toBe(error);
      expect(field().getAttribute('aria-invalid')).toBe('true');
      expect(listed()).toEqual([...kept, 'ja@exemplo.com']);
      await save();
      expect(listed()).toEqual([...kept, 'ja@exemplo.com']);
      await user.clear(field());
      for (const _ of kept) await user.type(field(), '{Backspace}');
    }
    await user.click(screen.getByRole('button', { name: 'Remover ja@exemplo.com' }));
    await save();
    expect(screen.getByRole('alert').textContent).toContain('Adicione pelo menos um e-mail');
    expect(stored()).toEqual(['ja@exemplo.com']);
    expect(screen.queryByText('Configurações de compartilhamento salvas')).toBeNull();
  });

  test('one hundred addresses, and not one more', async () => {
    const { user, pick, save, listed } = await openDialog();
    await pick(RESTRICTED);
    await user.click(field());
    await user.paste(Array.from({ length: 101 }, (_, n) => `p${n}@exemplo.com`).join('\n'));
    expect(listed()).toHaveLength(101);
    expect(screen.getByRole('button', { name: 'Enviar 100 convites' })).toBeTruthy();
    expect(screen.getByRole('alert').textContent).toBe('No máximo 100 endereços por categoria');
    // With room again, the one that waited goes with the others.
    await user.click(screen.getByRole('button', { name: 'Remover p0@exemplo.com' }));
    await save();
    expect(await screen.findByText('Configurações de compartilhamento salvas')).toBeTruthy();
    expect(stored()).toHaveLength(100);
    expect(stored()).toContain('p100@exemplo.com');
  });

  test('a blank ends an address, but not a name; a wrong one goes back into the field to be mended', async () => {
    const { user, pick, listed } = await openDialog();
    await pick(RESTRICTED);
    await user.type(field(), 'bia@exemplo.com ');
    expect(listed()).toEqual(['bia@exemplo.com']);
    await user.type(field(), 'Caio Lima <caio@exemplo.com>');
    expect(listed()).toEqual(['bia@exemplo.com']);
    await user.type(field(), '{Enter}dani@exemplo{Enter}');
    expect(listed()).toEqual(['bia@exemplo.com', 'caio@exemplo.com', 'dani@exemplo']);
    await user.click(
      screen.getByRole('button', { name: 'Corrigir dani@exemplo: Por favor, insira um email válido' }),
    );
    expect(screen.queryByRole('alert')).toBeNull();
    expect(document.activeElement).toBe(field());
    await user.type(field(), '.com{Enter}');
    expect(listed()).toEqual(['bia@exemplo.com', 'caio@exemplo.com', 'dani@exemplo.com']);
  });

  test('arrows reach the chips, and what is taken out there leaves the keyboard on its neighbour', async () => {
    const { user, pick, listed } = await openDialog();
    await pick(RESTRICTED);
    await user.click(field());
    await user.paste('gil@exemplo.com bia@exemplo.com caio@exemplo.com');
    const chip = (name: string) => screen.getByRole('button', { name: `Remover ${name}@exemplo.com` });
    await user.keyboard('{ArrowLeft}');
    expect(document.activeElement).toBe(chip('caio'));
    await user.keyboard('{ArrowLeft}');
    expect(document.activeElement).toBe(chip('bia'));
    await user.keyboard('{Delete}');
    expect(listed()).toEqual(['gil@exemplo.com', 'caio@exemplo.com']);
    expect(document.activeElement).toBe(chip('caio'));
    await user.keyboard('{ArrowRight}');
    expect(document.activeElement).toBe(field());
    await user.keyboard('{Backspace}{Backspace}');
    expect(listed()).toEqual([]);
    expect(screen.getByRole('button', { name: 'Enviar convites' })).toHaveProperty('disabled', true);
  });

  test('taking an address out keeps the keyboard in the list; ending it says so', async () => {
    const { user, dialog, pick, save, listed } = await openDialog({
      emails: ['bia@exemplo.com', 'ana@exemplo.com'],
    });
    await user.click(within(dialog).getByRole('button', { name: 'Remover ana@exemplo.com' }));
    expect(listed()).toEqual(['bia@exemplo.com']);
    expect(document.activeElement).toBe(
      within(dialog).getByRole('button', { name: 'Remover bia@exemplo.com' }),
    );
    await pick('Privada');
    expect(screen.getByText('Ao salvar, 2 pessoas saem da lista de convidados.')).toBeTruthy();
    library.control.refuse = (_method, relation) => (relation === 'rpc/save_sharing' ? BROKEN : null);
    await save();
    expect(await screen.findByText(/^Não foi possível remover o compartilhamento\./)).toBeTruthy();
    expect(screen.getByText('Compartilhamento Restrito')).toBeTruthy();
    library.control.refuse = () => null;
    await save();
    expect(await screen.findByText('Compartilhamento removido com sucesso')).toBeTruthy();
    expect(stored()).toEqual([]);
    await waitFor(() => expect(screen.queryByText('Compartilhamento Restrito')).toBeNull());
    expect(mails).toEqual([]);
  });

  test('a refused save leaves the dialog as it is, and takes back what was shown ahead', async () => {
    let release: () => void = () => undefined;
    library.control.beforeWrite = async (relation) => {
      if (relation !== 'rpc/save_sharing') return;
      await new Promise<void>((resolve) => {
        release = resolve;
      });
    };
    library.control.refuse = (_method, relation) => (relation === 'rpc/save_sharing' ? BROKEN : null);
    const { dialog, pick, save } = await openDialog();
    await pick(PUBLIC);
    await save();
    expect(within(dialog).getByRole('button', { name: 'Salvando...' })).toBeTruthy();
    expect(await screen.findByText('Pública')).toBeTruthy();
    await act(async () => release());
    expect(
      await screen.findByText('Não foi possível salvar as configurações de compartilhamento'),
    ).toBeTruthy();
    expect(screen.getByText(/^Não foi possível compartilhar a categoria\./)).toBeTruthy();
    expect(screen.queryByText('Pública')).toBeNull();
    expect(within(dialog).getByRole<HTMLInputElement>('radio', { name: PUBLIC }).checked).toBe(true);
    expect(library.table('categories')[0]?.['is_public']).toBe(false);
  });

  test('who left is not invited again, and the owner reads who it was', async () => {
    const message =
      'lia@exemplo.com saiu deste compartilhamento. Para um novo convite, essa pessoa precisa aceitar na página da categoria.';
    const body = { code: 'PT409', message, details: null, hint: 'share_left' };
    library.control.refuse = (_method, relation) =>
      relation === 'rpc/save_sharing' ? { status: 409, body } : null;
    const { user, pick, save, listed } = await openDialog();
    await pick(RESTRICTED);
    await user.type(field(), 'lia@exemplo.com{Enter}');
    await save();
    expect(await screen.findByText(message)).toBeTruthy();
    expect(listed()).toEqual(['lia@exemplo.com']);
  });

  test('settings that cannot be read are asked for again', async () => {
    const app = await openCategory();
    library.control.refuse = (_method, relation) => (relation === 'categories' ? BROKEN : null);
    await app.user.click(await screen.findByRole('button', { name: 'Compartilhar' }));
    const retry = await screen.findByRole('button', { name: 'Tentar de novo' });
    expect(screen.getByText('Não foi possível carregar as configurações de compartilhamento')).toBeTruthy();
    expectConsoleError(/read failed/);
    library.control.refuse = () => null;
    await app.user.click(retry);
    expect(await screen.findByRole('radio', { name: 'Privada' })).toBeTruthy();
  });

  test('asks before changes are thrown away, and not without', async () => {
    const { user, pick } = await openDialog();
    await pick(PUBLIC);
    await pick('Privada');
    await pick(RESTRICTED);
    await user.type(field(), 'a');
    fireEvent.keyDown(field(), { key: 'Escape' });
    expect(await screen.findByText('Descartar as mudanças?')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Continuar editando' }));
    expect(field().value).toBe('a');
  });

  const setPassword = async (user: UserEvent, dialog: HTMLElement) =>
    user.click(await within(dialog).findByRole('switch', { name: 'Pedir senha' }));
  const setEnd = async (user: UserEvent, dialog: HTMLElement) =>
    user.selectOptions(await within(dialog).findByLabelText('Prazo'), 'Por 7 dias');
  test.each([
    ['a password', setPassword],
    ['an end', setEnd],
  ])('asks before %s of a page that is public already is thrown away', async (_what, change) => {
    const { user, dialog, id } = await openDialog({ isPublic: true });
    await change(user, dialog);
    await user.click(within(dialog).getByRole('button', { name: 'Fechar' }));
    expect(await screen.findByText('Descartar as mudanças?')).toBeTruthy();
    expect(limitsOf(id)).toMatchObject({ ends_at: null, has_password: false });
  });
});

test('a plan that is known to share opens the dialog at once, and is asked about for the next time', async () => {
  const { user } = await openCategory({ plan: 'plus' });
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  const asked: string[] = [];
  // Known: it says how many links there may be.
  await screen.findByText('/500');
  const now = Date.now();
  const clock = vi.spyOn(Date, 'now').mockReturnValue(now + CACHE_MS.planLimits + 1);
  library.control.beforeRead = (relation) => {
    asked.push(relation);
    return relation === 'subscribers' || relation === 'profiles' ? answered : Promise.resolve();
  };
  await user.click(screen.getByRole('button', { name: 'Compartilhar' }));
  clock.mockRestore();
  expect(await screen.findByRole('dialog', { name: 'Compartilhar categoria' })).toBeTruthy();
  expect(asked).toEqual(expect.arrayContaining(['subscribers']));
  answer();
});

describe('a plan without sharing', () => {
  test('is told before the press what it lacks, in the button and in its menu', async () => {
    const { user } = await openCategory({ plan: 'free' });
    const button = await screen.findByRole('button', { name: 'Compartilhar' });
    await waitFor(() => expect(button.getAttribute('aria-description')).toBe('Disponível no Plus'));
    await user.click(screen.getByRole('button', { name: 'Mais formas de compartilhar' }));
    const entries = await screen.findAllByRole('menuitem');
    expect(entries.map((entry) => entry.getAttribute('aria-description'))).toEqual([
      'Disponível no Plus',
      // Following one's own category needs no plan.
      null,
      'Disponível no Plus',
    ]);
  });

  test.each([
    ['a plan that shares', { plan: 'plus' }],
    ['what is shared from better days', { plan: 'free', isPublic: true }],
  ] as const)('%s has no lock', async (_name, start) => {
    const { user } = await openCategory(start);
    await user.click(await screen.findByRole('button', { name: 'Mais formas de compartilhar' }));
    for (const entry of [
      ...(await screen.findAllByRole('menuitem')),
      screen.getByRole('button', { name: 'Compartilhar', hidden: true }),
    ])
      expect(entry.getAttribute('aria-description')).toBeNull();
  });

  test('gets a notice with the way to the plans, and no dialog', async () => {
    const { user, path } = await openCategory({ plan: 'free' });
    await user.click(await screen.findByRole('button', { name: 'Compartilhar' }));
    expect(await screen.findByText('Recurso indisponível')).toBeTruthy();
    expect(screen.queryByRole('dialog', { name: 'Compartilhar categoria' })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Upgrade' }));
    await waitFor(() => expect(path()).toBe('/plans'));
  });

  test('may reduce what is shared from better days, but not extend it', async () => {
    const { user, dialog, save } = await openDialog({
      plan: 'free',
      emails: ['ana@exemplo.com', 'bia@exemplo.com'],
    });
    expect(within(dialog).getByRole('radio', { name: PUBLIC })).toHaveProperty('disabled', true);
    expect(screen.queryByLabelText('Convidar por e-mail')).toBeNull();
    await user.click(within(dialog).getByRole('button', { name: 'Remover ana@exemplo.com' }));
    await save();
    expect(await screen.findByText('Configurações de compartilhamento salvas')).toBeTruthy();
    expect(stored()).toEqual(['bia@exemplo.com']);
    await user.click(await screen.findByRole('button', { name: 'Compartilhar' }));
    await user.click(await screen.findByRole('button', { name: 'Remover bia@exemplo.com' }));
    await user.click(screen.getByRole('button', { name: 'Salvar' }));
    expect(await screen.findByText('Compartilhamento removido com sucesso')).toBeTruthy();
    expect(stored()).toEqual([]);
  });

  test('a check that fails allows; the database then refuses with the same words', async () => {
    library.control.refuse = (_method, relation) =>
      ['subscribers', 'profiles'].includes(relation) ? BROKEN : relation === 'rpc/save_sharing' ? GATE : null;
    const { user, pick, save, listed } = await openDialog({ plan: 'free' });
    await pick(RESTRICTED);
    await user.type(field(), 'lia@exemplo.com{Enter}');
    await save();
    expect(await screen.findByText('Recurso indisponível')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Upgrade' })).toBeTruthy();
    expect(listed()).toEqual(['lia@exemplo.com']);
    await waitFor(() => expect(screen.queryByText('Compartilhamento Restrito')).toBeNull());
    // At the end: several reads are refused, the last of them while the dialog is answered.
    expectConsoleError(/read failed/);
  });
});

describe('in one act', () => {
  const MENU = 'Mais formas de compartilhar';
  const PUBLISH = 'Tornar pública e copiar o endereço';
  const choose = async (user: ReturnType<typeof userEvent.setup>, name: string) => {
    await user.click(await screen.findByRole('button', { name: MENU }));
    await user.click(await screen.findByRole('menuitem', { name }));
  };
  const isPublic = () => library.table('categories')[0]?.['is_public'];
  const address = (id: string) => `${window.location.origin}${sharedPath({ id, name: 'Redes' })}`;

  test('a private category is public, its readable address is copied once it works, and one press takes it back', async () => {
    const { user, id } = await openCategory();
    const { promise: mayWrite, resolve: letWrite } = Promise.withResolvers<void>();
    library.control.beforeWrite = () => mayWrite;
    await navigator.clipboard.writeText('antes');
    await choose(user, PUBLISH);
    expect(await screen.findByText('Pública')).toBeTruthy();
    expect(await navigator.clipboard.readText()).toBe('antes');
    // Shown ahead of the answer, it opens for nobody yet: nothing hands it on.
    const copy = await screen.findByRole('button', { name: 'Copiar link' });
    expect(copy).toHaveProperty('disabled', true);
    await user.click(screen.getByRole('button', { name: MENU }));
    const item = await screen.findByRole('menuitem', { name: 'Copiar o endereço' });
    expect(item.getAttribute('aria-disabled')).toBe('true');
    expect(screen.queryByRole('menuitem', { name: 'Mostrar código QR' })).toBeNull();
    await user.keyboard('{Escape}');
    letWrite();
    expect(await screen.findByText('Categoria pública, e o endereço está copiado')).toBeTruthy();
    await waitFor(() => expect(copy).toHaveProperty('disabled', false));
    expect(isPublic()).toBe(true);
    expect(await navigator.clipboard.readText()).toBe(address(id));

    await user.click(screen.getByRole('button', { name: 'Desfazer' }));
    await waitFor(() => expect(isPublic()).toBe(false));
    await waitFor(() => expect(screen.queryByText('Pública')).toBeNull());
  });

  test.each([
    ['once it is said', false],
    ['before it is answered', true],
  ])('Ctrl+Z takes it back %s, and not what was done before it', async (_when, early) => {
    const { user } = await openCategory();
    const earlier = vi.fn();
    rememberUndo({ undo: earlier, drop: () => undefined });
    const { promise: mayWrite, resolve: letWrite } = Promise.withResolvers<void>();
    library.control.beforeWrite = () => mayWrite;
    await choose(user, PUBLISH);
    expect(await screen.findByText('Pública')).toBeTruthy();
    if (early) await user.keyboard('{Control>}z{/Control}');
    letWrite();
    if (!early) {
      expect(await screen.findByText('Categoria pública, e o endereço está copiado')).toBeTruthy();
      await user.keyboard('{Control>}z{/Control}');
    }
    await waitFor(() => expect(screen.queryByText('Pública')).toBeNull());
    await waitFor(() => expect(isPublic()).toBe(false));
    expect(earlier).not.toHaveBeenCalled();
    await user.keyboard('{Control>}z{/Control}');
    expect(earlier).toHaveBeenCalledOnce();
  });

  test('a private category is followed by a secret address, and stays private', async () => {
    const { user } = await openCategory();
    await choose(user, 'Acompanhar por RSS');
    await user.click(await screen.findByRole('button', { name: 'Criar endereço' }));
    expect(
      await screen.findByDisplayValue(`${window.location.origin}/feed/${'c'.repeat(24)}/atom.xml`),
    ).toBeTruthy();
    expect(isPublic()).toBe(false);
  });

  test('where nobody draws feeds none is offered', async () => {
    const { user } = await openCategory({ config: { publicPagesDrawn: false } });
    await user.click(await screen.findByRole('button', { name: MENU }));
    await screen.findByRole('menuitem', { name: PUBLISH });
    expect(screen.queryByRole('menuitem', { name: 'Acompanhar por RSS' })).toBeNull();
  });

  test('a browser that does not let it copy leaves it public and says where the address is', async () => {
    const { user } = await openCategory();
    vi.spyOn(navigator.clipboard, 'write').mockRejectedValue(new DOMException('', 'NotAllowedError'));
    vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new DOMException('', 'NotAllowedError'));
    await choose(user, PUBLISH);
    expect(await screen.findByText('Categoria pública')).toBeTruthy();
    expect(screen.getByText('O navegador não deixou copiar: o endereço está abaixo do nome.')).toBeTruthy();
    expect(isPublic()).toBe(true);
  });

  test('a refused save leaves it private and the clipboard as it was', async () => {
    const { user } = await openCategory();
    library.control.refuse = (_method, relation) => (relation === 'rpc/save_sharing' ? BROKEN : null);
    await navigator.clipboard.writeText('antes');
    await choose(user, PUBLISH);
    expect(
      await screen.findByText('Não foi possível salvar as configurações de compartilhamento'),
    ).toBeTruthy();
    expect(isPublic()).toBe(false);
    await waitFor(() => expect(screen.queryByText('Pública')).toBeNull());
    expect(await navigator.clipboard.readText()).toBe('antes');
  });

  test('a plan without sharing gets the way to the plans', async () => {
    const { user } = await openCategory({ plan: 'free' });
    await choose(user, PUBLISH);
    expect(await screen.findByText('Recurso indisponível')).toBeTruthy();
    expect(isPublic()).toBe(false);
  });

  test('what is public travels by the ways people use, with its readable address', async () => {
    const { user, id } = await openCategory({ isPublic: true });
    const opened = vi.spyOn(window, 'open').mockReturnValue(null);
    await choose(user, 'Enviar pelo WhatsApp');
    const target = new URL(String(opened.mock.lastCall?.[0]));
    expect(`${target.origin}${target.pathname}`).toBe('https://wa.me/');
    expect(target.searchParams.get('text')).toBe(`Redes: ${address(id)}`);
    await choose(user, 'Copiar o endereço');
    expect(await screen.findByText('Link copiado para a área de transferência')).toBeTruthy();
    expect(await navigator.clipboard.readText()).toBe(address(id));
    opened.mockRestore();
  });

  test('a classroom points its phones at it: the code holds the readable address', async () => {
    const { user, id } = await openCategory({ isPublic: true });
    await choose(user, 'Mostrar código QR');
    const code = await screen.findByRole('img', { name: `Código QR: ${address(id)}` });
    const dark = encode(address(id), { ecc: 'M', border: 3 }).data.flat().filter(Boolean).length;
    expect(code.querySelector('path:last-child')?.getAttribute('d')?.match(/M/g)).toHaveLength(dark);
    expect(screen.getByRole('button', { name: 'Baixar imagem' })).toBeTruthy();
  });

  test('every other choice is the dialog', async () => {
    const { user } = await openCategory({ emails: ['ana@exemplo.com'] });
    await choose(user, 'Quem pode ver...');
    expect(await screen.findByRole('dialog', { name: 'Compartilhar categoria' })).toBeTruthy();
    expect(screen.queryByRole('menuitem', { name: PUBLISH })).toBeNull();
  });
});

test("somebody else's category has no such button", async () => {
  const email = fakeSession().user.email ?? '';
  const theirs = library.add('categories', {
    name: 'De Bia',
    user_id: 'bia',
    name_users: 'Bia',
    is_public: false,
  });
  library.add('shared_with', { category_id: theirs['id'], email });
  openSignedIn(`/category/${String(theirs['id'])}`);
  await screen.findByRole('heading', { level: 1, name: 'De Bia' });
  expect(screen.queryByRole('button', { name: /compartilhar/i })).toBeNull();
});
