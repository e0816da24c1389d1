import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test } from 'vitest';
import { createFakeAuth, fakeSession } from '../../shared/test/create-fake-auth.ts';
import { createFakeRealtime } from '../../shared/test/create-fake-realtime.ts';
import { beginWithLibrary } from '../test/begin-with-library.ts';
import { renderApp } from '../test/render-app.tsx';

const library = beginWithLibrary(() =>
  Promise.all([
    import('../../features/sharing/components/access-requests-entry.tsx'),
    import('../../features/sharing/components/access-requests-dialog.tsx'),
  ]),
);
const USER = fakeSession().user.id;

beforeEach(() => {
  localStorage.clear();
  library.tables['subscribers'] = [{ user_id: USER, plan: 'pro', subscription_status: 'active' }];
  library.tables['profiles'] = [{ id: USER, plan: 'pro' }];
});

function ask(category: Record<string, unknown>, asker = 'bia') {
  library.table('access_requests').push({
    id: crypto.randomUUID(),
    category_id: category['id'],
    category_name: category['name'],
    asker_name: 'Bia',
    email: `${asker}@exemplo.com`,
    note: 'Sou da turma 9B',
    asked_at: '2025-05-11T12:00:00Z',
  });
}

function open(path: string) {
  const realtime = createFakeRealtime();
  const app = renderApp(path, { auth: createFakeAuth(fakeSession()), realtime: realtime.source });
  return { ...app, realtime, user: userEvent.setup({ delay: null }) };
}

function addCategory(name = 'Redes') {
  const folder = library.add('folders', { name: 'Estudos' });
  return library.add('categories', { name, folder_id: folder['id'], is_public: false });
}
const invited = () => library.table('shared_with').map(({ email }) => email);
const notices = () => screen.findByRole('region', { name: 'Avisos' });
const entry = (count: string) => screen.findByRole('button', { name: `${count} de acesso` });

describe('somebody asks to see a category', () => {
  test('the sidebar tells how many wait as soon as it happens, and leads to the answers', async () => {
    const category = addCategory();
    const { user, realtime } = open('/dashboard');
    await screen.findByRole('button', { name: 'Nova Pasta' });
    expect(screen.queryByRole('button', { name: /de acesso/ })).toBeNull();
    ask(category);
    await waitFor(() => expect(realtime.send(`requests:${USER}`, 'changed')).toBe(true));
    await entry('1 pedido');
    ask(category, 'caio');
    act(() => void realtime.send(`requests:${USER}`, 'changed'));
    await user.click(await entry('2 pedidos'));
    const dialog = await screen.findByRole('dialog', { name: 'Pedidos de acesso' });
    const [first] = await within(dialog).findAllByRole('listitem');
    expect(first?.textContent).toContain('bia@exemplo.com');
    expect(first?.textContent).toContain('Bia · Redes');
    expect(first?.textContent).toContain('“Sou da turma 9B”');
    await user.click(within(dialog).getByRole('button', { name: 'Permitir bia@exemplo.com em Redes' }));
    expect(await within(await notices()).findByText('Bia já pode ver “Redes”')).toBeTruthy();
    expect(invited()).toEqual(['bia@exemplo.com']);
    await waitFor(() => expect(within(dialog).getAllByRole('listitem')).toHaveLength(1));
  });

  test('“Recusar” invites nobody, and can be undone', async () => {
    ask(addCategory());
    const { user } = open('/dashboard');
    await user.click(await entry('1 pedido'));
    const dialog = await screen.findByRole('dialog', { name: 'Pedidos de acesso' });
    await user.click(await within(dialog).findByRole('button', { name: /^Recusar bia/ }));
    expect(await within(dialog).findByText('Nenhum pedido esperando resposta.')).toBeTruthy();
    expect(screen.queryByRole('button', { name: /de acesso$/ })).toBeNull();
    await user.click(await within(await notices()).findByText('Desfazer'));
    expect(await within(dialog).findByText('bia@exemplo.com')).toBeTruthy();
    expect(invited()).toEqual([]);
  });

  test('the mail leads to the dialog of that category, where the list grows with the answer', async () => {
    const category = addCategory();
    ask(category);
    ask(addCategory('Outra'), 'caio');
    const { user, path } = open(`/category/${String(category['id'])}?share=1`);
    const dialog = await screen.findByRole('dialog', { name: 'Compartilhar categoria' });
    await waitFor(() => expect(path()).toBe(`/category/${String(category['id'])}`));
    const requests = await within(dialog).findByRole('list', { name: 'Pedidos de acesso' });
    expect(within(requests).getAllByRole('listitem')).toHaveLength(1);
    await user.click(within(requests).getByRole('button', { name: /^Permitir bia/ }));
    const list = await within(dialog).findByRole('list', { name: 'Pessoas convidadas' });
    expect(within(list).getByText('bia@exemplo.com')).toBeTruthy();
    expect(within(dialog).queryByRole('list', { name: 'Pedidos de acesso' })).toBeNull();
    expect(within(dialog).getByRole<HTMLInputElement>('radio', { name: /^Restrita/ }).checked).toBe(true);
  });

  test('an answer that the plan does not allow says so, and the request stays', async () => {
    ask(addCategory());
    library.control.refuse = (_method, relation) =>
      relation === 'rpc/answer_access_request'
        ? {
            status: 400,
            body: { code: 'P0001', message: 'Recurso indisponível', details: null, hint: 'plan_sharing' },
          }
        : null;
    const { user } = open('/dashboard');
    await user.click(await entry('1 pedido'));
    await user.click(await screen.findByRole('button', { name: /^Permitir bia/ }));
    expect(await within(await notices()).findByText('Recurso indisponível')).toBeTruthy();
    expect(screen.getByText('bia@exemplo.com')).toBeTruthy();
    expect(invited()).toEqual([]);
  });

  test('an answer to a request that is over says so in the database’s words', async () => {
    ask(addCategory());
    library.control.refuse = (_method, relation) =>
      relation === 'rpc/answer_access_request'
        ? { status: 404, body: { code: 'PT404', message: 'Pedido não encontrado' } }
        : null;
    const { user } = open('/dashboard');
    await user.click(await entry('1 pedido'));
    await user.click(await screen.findByRole('button', { name: /^Permitir bia/ }));
    expect(await within(await notices()).findByText('Pedido não encontrado')).toBeTruthy();
    expect(invited()).toEqual([]);
  });

  test('is answered once: while the first answer is under way the other button does nothing', async () => {
    ask(addCategory());
    const held = Promise.withResolvers<void>();
    let sent = 0;
    library.control.beforeWrite = async (relation) => {
      if (relation !== 'rpc/answer_access_request') return;
      sent += 1;
      await held.promise;
    };
    const { user } = open('/dashboard');
    await user.click(await entry('1 pedido'));
    await user.click(await screen.findByRole('button', { name: /^Permitir bia/ }));
    await waitFor(() => expect(sent).toBe(1));
    await user.click(screen.getByRole('button', { name: /^Recusar bia/ }));
    held.resolve();
    expect(await within(await notices()).findByText('Bia já pode ver “Redes”')).toBeTruthy();
    expect(screen.queryByText('Pedido recusado')).toBeNull();
    expect([sent, invited()]).toEqual([1, ['bia@exemplo.com']]);
  });
});
