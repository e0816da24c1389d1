import type { User } from '@supabase/auth-js';
import { describe, expect, test } from 'vitest';
import {
  authFailure,
  createFakeAuth,
  type FakeAuth,
  fakePhone,
  fakeSession,
} from '../../../shared/test/create-fake-auth.ts';
import { createFakeDatabase, type FakeRequest } from '../../../shared/test/create-fake-database.ts';
import type { CopiedAccess } from '../model/account-copy-file.ts';
import { makeAccountCopy } from './account-copy.ts';

const ME = '11111111-1111-4111-8111-111111111111';
const NO_ACCESS: CopiedAccess = { programs: [], tokens: [], passkeys: [] };
const NOW = new Date('2027-03-01T12:00:00Z');

type Row = { readonly id: string; readonly created_at: string };

/** A service that pages as the real one does: by `created_at` and `id`, behind the row that is named. */
function serve(
  tables: Readonly<Record<string, readonly (Row & object)[]>>,
  overrides: Record<string, object> = {},
  bin: (asked: unknown) => readonly object[] = () => [],
  lists: Readonly<Record<string, readonly object[]>> = {},
) {
  const asked: FakeRequest[] = [];
  const database = createFakeDatabase((request) => {
    asked.push(request);
    const { path, query } = request;
    if (path === 'rpc/list_bin_rows') return { body: bin(request.body) };
    if (path === 'rpc/daily_mail') return { body: true };
    if (path === 'rpc/mail_address') return { body: MAIL_ADDRESS };
    const list = { ...LISTS, ...lists }[path];
    const from = Number(query.get('offset') ?? 0);
    if (list) return { body: list.slice(from, from + Math.min(1_000, Number(query.get('limit') ?? 1_000))) };
    const answer = overrides[path];
    if (answer) return { body: [answer] };
    const after = /created_at\.gt\."(?<at>[^"]+)",id\.gt\.(?<id>[\w-]+)/.exec(query.get('or') ?? '')?.groups;
    const rows = (tables[path] ?? []).filter(
      (row) =>
        after === undefined ||
        row.created_at > (after['at'] ?? '') ||
        (row.created_at === after['at'] && row.id > (after['id'] ?? '')),
    );
    return { body: rows.slice(0, Number(query.get('limit') ?? rows.length)) };
  });
  return { database, asked };
}

async function copy(
  service: ReturnType<typeof serve>,
  options: {
    signal?: AbortSignal;
    storage?: Storage;
    avatarPath?: string;
    access?: CopiedAccess;
    /** As the service has the person, where that is not what the browser saved. */
    user?: User;
    auth?: FakeAuth;
  } = {},
) {
  const progress: number[] = [];
  const session = fakeSession({ firstName: 'Ana', lastName: 'de Souza', avatar_path: options.avatarPath });
  const auth = options.auth ?? createFakeAuth(session);
  if (options.user) auth.getUser.mockResolvedValue({ data: { user: options.user }, error: null });
  const blob = await makeAccountCopy({
    auth: auth.client,
    database: service.database,
    userId: ME,
    storage: options.storage ?? { getItem: (key) => (key === 'linkoteca-theme' ? 'dark' : null) },
    readAccess: async () => options.access ?? NO_ACCESS,
    readPicture: async (userId, path) => `data:image/webp;base64,${btoa(`${userId}/${path}`)}`,
    now: NOW,
    signal: options.signal ?? new AbortController().signal,
    onProgress: (percent) => progress.push(percent),
  });
  const text = await blob.text();
  return { text, file: JSON.parse(text), progress };
}

const at = (n: number) => `2026-01-01T00:00:00.${String(n).padStart(6, '0')}+00:00`;
const MAIL_ADDRESS = [
  { local_part: 'segredo', any_sender: false, own_sender: 'ana@exemplo.com', senders: ['bia@b.br'] },
];
const LISTS: Readonly<Record<string, readonly object[]>> = {
  'rpc/page_limits': [{ id: 'c8', ends_at: at(9), has_password: true }],
  'rpc/list_own_access_requests': [{ category_id: 'c9', note: 'Oi', asked_at: at(9) }],
};
const link = (n: number, created = at(n)) => ({
  id: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
  category_id: 'c1',
  title: `Link "${n}"\n`,
  url: `https://a.br/${n}`,
  description: null,
  created_at: created,
  updated_at: created,
  added_by_name: null,
});

describe('the copy of an account', () => {
  test('holds the picture that the person chose', async () => {
    const avatarPath = 'avatar/33333333-3333-4333-8333-333333333333.webp';
    const { file } = await copy(serve({}), { avatarPath });
    expect(file.perfil.foto).toBe(`data:image/webp;base64,${btoa(`${ME}/${avatarPath}`)}`);
  });

  test('holds what comes into the account besides a password, and nothing that lets anybody in', async () => {
    const client = { id: 'id-do-programa', name: 'Leitor', uri: 'https://leitor.br', logo_uri: '' };
    const token = {
      name: 'Script',
      scopes: ['links:read'],
      created_at: at(1),
      expires_at: at(2),
      last_used_at: null,
    };
    const access = {
      programs: [{ client, scopes: ['links:read', 'share'], granted_at: at(3), last_used_at: at(4) }],
      // Whatever a service would say one day stays out.
      tokens: [{ ...token, token: 'lk_pat_segredo' }],
      passkeys: [{ id: 'id-da-chave', friendly_name: 'Notebook', created_at: at(5) }],
    };
    const { file, text } = await copy(serve({}), { access });
    expect(file.acesso).toEqual({
      programas: [
        {
          nome: 'Leitor',
          endereco: 'https://leitor.br',
          permissoes: ['links:read', 'share'],
          desde: at(3),
          ultimoUso: at(4),
        },
      ],
      chavesPessoais: [
        { nome: 'Script', permissoes: ['links:read'], criadaEm: at(1), valeAte: at(2), ultimoUso: null },
      ],
      chavesDeAcesso: [{ nome: 'Notebook', criadaEm: at(5), ultimoUso: null }],
      duasEtapas: [],
    });
    expect(text).not.toMatch(/segredo|id-do-programa|id-da-chave/);
  });

  test('tells of the account as it is now and not as the browser saved it, with telephone numbers and who may save by mail', async () => {
    const user = {
      ...fakeSession().user,
      email: 'nova@exemplo.com',
      phone: '5511912345678',
      factors: [{ ...fakePhone, phone: '5511987655678' }],
    };
    const { file, text } = await copy(serve({}), { user });
    expect(file.conta).toMatchObject({ email: 'nova@exemplo.com', telefone: '5511912345678' });
    expect(file.acesso.duasEtapas).toEqual([
      {
        tipo: 'telefone',
        nome: fakePhone.friendly_name,
        telefone: '5511987655678',
        criadaEm: fakePhone.created_at,
      },
    ]);
    expect(file.salvaPorEmail).toEqual({ deQualquerUm: false, remetentes: ['bia@b.br'] });
    expect(text).not.toContain('segredo');
  });

  test('has null for an address and a number that an account does not have', async () => {
    const { file } = await copy(serve({}), { user: { ...fakeSession().user, email: '', phone: '' } });
    expect(file.conta).toMatchObject({ email: null, telefone: null });
  });

  test('fails where the service does not say what the account is', async () => {
    const auth = createFakeAuth(fakeSession());
    auth.getUser.mockResolvedValue({ data: { user: null }, error: authFailure('session_not_found') });
    await expect(copy(serve({}), { auth })).rejects.toThrow('session_not_found');
  });

  test('has every choice that the browser keeps under a name of its own', async () => {
    const storage = { getItem: (key: string) => key } as Storage;
    const { file } = await copy(serve({}), { storage });
    expect(file.preferencias).toMatchObject({
      ordemDosLinks: 'linkoteca-link-order',
      ordemDasTags: 'linkoteca-tag-order',
    });
  });

  test('holds everything that is the person’s own, under a version', async () => {
    const service = serve(
      {
        folders: [
          {
            id: 'f1',
            name: 'Casa',
            created_at: at(1),
            updated_at: at(2),
            folder_looks: { color: 'blue', emoji: '🏠' },
            folder_members: [{ email: 'ana@b.br', role: 'editor', created_at: at(6), group_id: 'g1' }],
          } as Row,
          { id: 'f2', name: 'Lisa', created_at: at(2), updated_at: at(2), folder_looks: null } as Row,
        ],
        categories: [
          {
            id: 'c1',
            folder_id: 'f1',
            name: 'Receitas',
            description: 'doces',
            is_public: false,
            created_at: at(3),
            updated_at: at(4),
            shared_with: [{ email: 'bia@b.br', created_at: at(5) }],
            is_inbox: true,
            is_held_back: true,
          } as Row,
        ],
        links: [{ ...link(7), added_by_name: 'Bia', link_tags: [{ tags: { name: 'doces' } }] } as Row],
        tags: [{ id: 't1', name: 'doces', color: 'pink', created_at: at(6) } as Row],
        favorites: [
          { id: 's1', link_id: link(7).id, category_id: null, created_at: at(8) } as Row,
          { id: 's2', link_id: null, category_id: 'c1', created_at: at(9) } as Row,
        ],
        'rpc/list_groups': [
          { id: 'g1', name: 'Turma 9B', emails: ['ana@b.br'], folder_count: 1, created_at: at(10) } as Row,
        ],
        saved_searches: [{ id: 'b1', name: 'Bolos', question: 'bolo em:doces', created_at: at(9) } as Row],
      },
      {
        profiles: { name: 'Ana de Souza', plan: 'plus', created_at: at(1), updated_at: at(1) },
        subscribers: {
          plan: 'plus',
          subscription_status: 'active',
          billing_interval: 'month',
          amount_cents: 199,
        },
        library_counts: { link_count: 1, category_count: 1 },
      },
    );
    const { file, text } = await copy(service);
    expect(file).toMatchObject({
      formato: 'linkoteca-copia-da-conta',
      versao: 1,
      geradoEm: NOW.toISOString(),
      conta: { id: ME, email: 'ana@exemplo.com' },
      perfil: {
        nome: 'Ana de Souza',
        primeiroNome: 'Ana',
        sobrenome: 'de Souza',
        foto: null,
        plano: 'plus',
        resumoDiario: true,
      },
      preferencias: { tema: 'dark' },
      assinatura: { plano: 'plus', situacao: 'active', intervalo: 'month', valorEmCentavos: 199 },
      pastas: [
        {
          id: 'f1',
          nome: 'Casa',
          cor: 'blue',
          emoji: '🏠',
          pessoas: [{ email: 'ana@b.br', papel: 'editor', desde: at(6), grupoId: 'g1' }],
        },
        { id: 'f2', nome: 'Lisa', cor: null, emoji: null },
      ],
      categorias: [
        {
          id: 'c1',
          pastaId: 'f1',
          nome: 'Receitas',
          ordemPropria: false,
          entrada: true,
          reservada: true,
          compartilhamento: { publica: false, pessoas: [{ email: 'bia@b.br', desde: at(5) }] },
        },
      ],
      links: [
        {
          id: link(7).id,
          categoriaId: 'c1',
          titulo: 'Link "7"\n',
          endereco: 'https://a.br/7',
          adicionadoPor: 'Bia',
          tags: ['doces'],
        },
      ],
      tags: [{ nome: 'doces', cor: 'pink', criadaEm: at(6) }],
      favoritos: [
        { linkId: link(7).id, desde: at(8) },
        { categoriaId: 'c1', desde: at(9) },
      ],
      buscasSalvas: [{ nome: 'Bolos', busca: 'bolo em:doces', desde: at(9) }],
      paginasPublicas: [{ categoriaId: 'c8', terminaEm: at(9), comSenha: true }],
      pedidosDeAcesso: [{ categoriaId: 'c9', mensagem: 'Oi', pedidoEm: at(9) }],
      grupos: [{ id: 'g1', nome: 'Turma 9B', pessoas: ['ana@b.br'], criadoEm: at(10) }],
    });
    expect(text).not.toMatch(/access-token|refresh-token|stripe/i);
    for (const { path, query } of service.asked.filter((asked) => !asked.path.startsWith('rpc/')))
      expect([path, query.get('user_id') ?? query.get('id')]).toEqual([path, `eq.${ME}`]);
  });

  test('has every limit of a page and every request for access, also those behind the thousandth', async () => {
    const ids = Array.from({ length: 1_001 }, (_, n) => `c${n}`);
    const service = serve({}, {}, () => [], {
      'rpc/page_limits': ids.map((id) => ({ id, ends_at: null, has_password: true })),
      'rpc/list_own_access_requests': ids.map((id) => ({ category_id: id, note: '', asked_at: at(9) })),
    });
    const { file } = await copy(service);
    for (const list of [file.paginasPublicas, file.pedidosDeAcesso])
      expect(list.map(({ categoriaId }: { categoriaId: string }) => categoriaId)).toEqual(ids);
  });

  test('holds what is in the bin, page after page, each with what it is and its time there', async () => {
    const row = (n: number) => ({
      deletion_id: 1,
      kind: 'link',
      id: link(n).id,
      content: { ...link(n), user_id: ME, manual_order: n === 7 ? { rank: '8' } : null },
      deleted_at: at(1),
      purge_after: at(2),
    });
    const category = {
      id: 'c9',
      folder_id: 'f1',
      name: 'Doces',
      description: null,
      is_public: true,
      user_id: ME,
      created_at: at(3),
      updated_at: at(4),
      shared_with: [{ email: 'bia@b.br', created_at: at(5) }],
      manual_order: { category_id: 'c9' },
    };
    const folder = {
      id: 'f1',
      name: 'Casa',
      created_at: at(3),
      updated_at: at(4),
      user_id: ME,
      folder_looks: { color: null, emoji: '🏠' },
    };
    const pages = [
      Array.from({ length: 1_000 }, (_, n) => row(n)),
      [
        { ...row(0), deletion_id: 2, kind: 'category', id: 'c9', content: category },
        { ...row(0), deletion_id: 2, kind: 'folder', id: 'f1', content: folder },
      ],
    ];
    const asked: unknown[] = [];
    const { file } = await copy(
      serve({}, {}, (after) => {
        asked.push(after);
        return pages[asked.length - 1] ?? [];
      }),
    );
    expect(asked).toEqual([
      { max: 1_000 },
      { max: 1_000, after_deletion: 1, after_kind: 'link', after_id: link(999).id },
    ]);
    expect(file.lixeira).toHaveLength(1_002);
    expect(file.lixeira[7]).toEqual({
      tipo: 'link',
      excluidoEm: at(1),
      guardadoAte: at(2),
      id: link(7).id,
      categoriaId: 'c1',
      titulo: 'Link "7"\n',
      endereco: 'https://a.br/7',
      descricao: null,
      criadoEm: at(7),
      atualizadoEm: at(7),
      adicionadoPor: null,
      lugar: '8',
      tags: [],
    });
    expect(file.lixeira[1_000]).toMatchObject({
      tipo: 'categoria',
      ordemPropria: true,
      entrada: false,
      nome: 'Doces',
      compartilhamento: { publica: true, pessoas: [{ email: 'bia@b.br', desde: at(5) }] },
    });
    expect(file.lixeira[1_001]).toMatchObject({ tipo: 'pasta', nome: 'Casa', cor: null, emoji: '🏠' });
  });

  test('of somebody who has nothing is valid all the same', async () => {
    const { file } = await copy(serve({}));
    expect([file.pastas, file.categorias, file.links, file.assinatura]).toEqual([[], [], [], null]);
  });

  test('has each of many links once, also those born in the same instant, and tells how far it is', async () => {
    // A page ends amid the instant that 1,500 links share.
    const links = [
      ...Array.from({ length: 400 }, (_, n) => link(n)),
      ...Array.from({ length: 1_500 }, (_, n) => link(1_000 + n, at(500))),
      ...Array.from({ length: 300 }, (_, n) => link(5_000 + n)),
    ];
    const service = serve({ links }, { library_counts: { link_count: links.length, category_count: 0 } });
    const { file, progress } = await copy(service);
    expect(file.links.map(({ id }: Row) => id)).toEqual(links.map(({ id }) => id));
    expect(service.asked.filter(({ path }) => path === 'links')).toHaveLength(3);
    expect([...progress]).toEqual(progress.toSorted((a, b) => a - b));
    expect(progress.at(-1)).toBeGreaterThan(98);
  });

  test('ends when it is cancelled, and when nobody is signed in', async () => {
    const controller = new AbortController();
    controller.abort();
    await expect(copy(serve({}), { signal: controller.signal })).rejects.toThrow();
    const nobody = makeAccountCopy({
      auth: createFakeAuth(null).client,
      database: serve({}).database,
      userId: ME,
      storage: localStorage,
      readAccess: async () => NO_ACCESS,
      readPicture: async () => '',
      now: NOW,
      signal: new AbortController().signal,
      onProgress: () => undefined,
    });
    await expect(nobody).rejects.toThrow('nobody is signed in');
  });
});
