import type { Database } from '@linkoteca/database-types/database';
import type { Factor, OAuthGrant, PasskeyListItem, User } from '@supabase/auth-js';
import type { Category, Folder, LibraryRow, LibraryTable, Link } from '../../../shared/lib/rows.ts';

type Row<Table extends keyof Database['public']['Tables']> = Database['public']['Tables'][Table]['Row'];

export type CopiedFolder = Folder & {
  /** null, or absent of what was deleted long ago: nothing was chosen. */
  readonly folder_looks?: Pick<Row<'folder_looks'>, 'color' | 'emoji'> | null;
  /** Absent of what was deleted before folders were shared. */
  readonly folder_members?: readonly (Pick<Row<'folder_members'>, 'email' | 'role' | 'created_at'> &
    // Absent of what is deleted: there the groups' people are left out.
    Partial<Pick<Row<'folder_members'>, 'group_id'>>)[];
};
export type CopiedCategory = Category & {
  readonly shared_with: readonly Pick<Row<'shared_with'>, 'email' | 'created_at'>[];
  /** null, or absent of what was deleted long ago: newest first. */
  readonly manual_order?: Pick<Row<'manual_order'>, 'category_id'> | null;
  /** Absent of what is deleted. */
  readonly is_inbox?: boolean | null;
  /** Absent of what was deleted before folders were shared. */
  readonly is_held_back?: boolean;
};
export type CopiedLink = Omit<Link, 'link_tags' | 'tag_names'> & {
  /** Absent of what was deleted before there were tags. */
  readonly link_tags?: readonly { readonly tags: Pick<Row<'tags'>, 'name'> }[];
  /** As above: nobody has put it anywhere. */
  readonly manual_order?: Pick<Row<'manual_order'>, 'rank'> | null;
};
type CopiedProfile = Pick<Row<'profiles'>, 'name' | 'plan' | 'created_at' | 'updated_at'>;
type MailAddress = Database['public']['Functions']['mail_address']['Returns'][number];
type CopiedSubscription = Pick<
  Row<'subscribers'>,
  | 'plan'
  | 'subscription_status'
  | 'current_period_end'
  | 'cancel_at_period_end'
  | 'trial_end'
  | 'billing_interval'
  | 'amount_cents'
  | 'currency'
>;

/** What the file says it is; docs/account-copy.md describes the shape. A change that old readers would misread is a new version. */
const FORMAT = { formato: 'linkoteca-copia-da-conta', versao: 1 } as const;

/** Who and what comes into the account besides the person's password. Nothing of it lets anybody in. */
export interface CopiedAccess {
  /** The hosted platform does not say when a program did something last. */
  readonly programs: readonly (OAuthGrant & { readonly last_used_at?: string })[];
  readonly tokens: readonly {
    readonly name: string;
    readonly scopes: readonly string[];
    readonly created_at: string;
    readonly expires_at: string;
    readonly last_used_at: string | null;
  }[];
  readonly passkeys: readonly PasskeyListItem[];
}

/** The client's type leaves the number out. */
type CopiedFactor = Factor & { readonly phone?: string };

/** What belongs to the person besides their library. */
export interface CopiedAccount {
  readonly access: CopiedAccess;
  readonly user: User;
  /** The picture that they chose, as a data address. */
  readonly picture: string | null;
  readonly profile: CopiedProfile | null;
  readonly dailyMail: boolean;
  /** null: nobody saves by mail. */
  readonly mailAddress: Pick<MailAddress, 'any_sender' | 'senders'> | null;
  readonly subscription: CopiedSubscription | null;
  readonly preferences: Readonly<Record<string, string>>;
}

/** The beginning of the file, up to the lists: no token, no key, nothing that lets anybody in. */
export function openAccountCopy(account: CopiedAccount, now: Date): string {
  const { user, picture, profile, dailyMail, mailAddress, subscription, preferences, access } = account;
  const head = {
    ...FORMAT,
    geradoEm: now.toISOString(),
    conta: {
      id: user.id,
      email: user.email || null,
      telefone: user.phone || null,
      criadaEm: user.created_at,
      ultimaEntradaEm: user.last_sign_in_at ?? null,
      entraCom: readProviders(user),
    },
    perfil: {
      nome: profile?.name ?? null,
      primeiroNome: readText(user, 'firstName'),
      sobrenome: readText(user, 'lastName'),
      foto: picture,
      plano: profile?.plan ?? 'free',
      criadoEm: profile?.created_at ?? null,
      atualizadoEm: profile?.updated_at ?? null,
      resumoDiario: dailyMail,
    },
    preferencias: preferences,
    assinatura: subscription && {
      plano: subscription.plan,
      situacao: subscription.subscription_status,
      periodoAtualAte: subscription.current_period_end,
      terminaNoFimDoPeriodo: subscription.cancel_at_period_end,
      testeAte: subscription.trial_end,
      intervalo: subscription.billing_interval,
      valorEmCentavos: subscription.amount_cents,
      moeda: subscription.currency,
    },
    acesso: copyAccess(user, access),
    // Without the address itself: whoever has it may save into the account.
    salvaPorEmail: mailAddress && {
      deQualquerUm: mailAddress.any_sender,
      remetentes: mailAddress.senders,
    },
  };
  return JSON.stringify(head, null, 2).replace(/\n\}$/, '');
}

/** Field by field: whatever else the service says of them stays out. */
function copyAccess(user: User, { programs, tokens, passkeys }: CopiedAccess): object {
  return {
    programas: programs.map((grant) => ({
      nome: grant.client.name,
      endereco: grant.client.uri || null,
      permissoes: grant.scopes,
      desde: grant.granted_at,
      ultimoUso: grant.last_used_at ?? null,
    })),
    chavesPessoais: tokens.map((token) => ({
      nome: token.name,
      permissoes: token.scopes,
      criadaEm: token.created_at,
      valeAte: token.expires_at,
      ultimoUso: token.last_used_at,
    })),
    chavesDeAcesso: passkeys.map((passkey) => ({
      nome: passkey.friendly_name ?? null,
      criadaEm: passkey.created_at,
      ultimoUso: passkey.last_used_at ?? null,
    })),
    duasEtapas: ((user.factors ?? []) as readonly CopiedFactor[])
      .filter(({ status }) => status === 'verified')
      .map((factor) => ({
        tipo: FACTOR_TYPES[factor.factor_type] ?? factor.factor_type,
        nome: factor.friendly_name ?? null,
        telefone: factor.phone ?? null,
        criadaEm: factor.created_at,
      })),
  };
}

const FACTOR_TYPES: Readonly<Record<string, string>> = {
  totp: 'aplicativo',
  phone: 'telefone',
  webauthn: 'chaveDeSeguranca',
  recovery_code: 'codigosDeRecuperacao',
};

/** One list of the file after its head. @param pages of rows as the file shows them; @returns the text, in parts. */
export async function* writeList(
  name: string,
  pages: AsyncIterable<readonly object[]>,
): AsyncGenerator<string> {
  yield `,\n  ${JSON.stringify(name)}: [`;
  let before = '\n    ';
  for await (const page of pages) {
    if (page.length === 0) continue;
    yield before + page.map((row) => JSON.stringify(row)).join(',\n    ');
    before = ',\n    ';
  }
  yield before === '\n    ' ? ']' : '\n  ]';
}

export const ACCOUNT_COPY_END = '\n}\n';

/** What the file calls the columns; every one that the app reads of a row is in the copy, but whose it is. */
const NAMES = {
  folders: { id: 'id', name: 'nome', created_at: 'criadaEm', updated_at: 'atualizadaEm' },
  categories: {
    id: 'id',
    folder_id: 'pastaId',
    name: 'nome',
    description: 'descricao',
    created_at: 'criadaEm',
    updated_at: 'atualizadaEm',
  },
  links: {
    id: 'id',
    category_id: 'categoriaId',
    title: 'titulo',
    url: 'endereco',
    description: 'descricao',
    created_at: 'criadoEm',
    updated_at: 'atualizadoEm',
    added_by_name: 'adicionadoPor',
  },
} satisfies {
  readonly [Table in LibraryTable]: Readonly<
    Record<Exclude<keyof LibraryRow<Table>, 'user_id' | 'is_public'>, string>
  >;
};

type CopiedFavorite = Pick<Row<'favorites'>, 'id' | 'link_id' | 'category_id' | 'created_at'>;

/** A star: on a link or on a category. */
export const copyFavorite = (row: CopiedFavorite): object => ({
  ...(row.link_id === null ? { categoriaId: row.category_id } : { linkId: row.link_id }),
  desde: row.created_at,
});

type CopiedSearch = Pick<Row<'saved_searches'>, 'id' | 'name' | 'question' | 'created_at'>;

/** A question that was kept, as typed. */
export const copySavedSearch = (row: CopiedSearch): object => ({
  nome: row.name,
  busca: row.question,
  desde: row.created_at,
});

type CopiedTag = Pick<Row<'tags'>, 'id' | 'name' | 'color' | 'created_at'>;

export const copyTag = (row: CopiedTag): object => ({
  nome: row.name,
  cor: row.color,
  criadaEm: row.created_at,
});

type CopiedRequest = Database['public']['Functions']['list_own_access_requests']['Returns'][number];

/** What the person asked to see; nothing says what became of it. */
export const copyAccessRequest = (row: CopiedRequest): object => ({
  categoriaId: row.category_id,
  mensagem: row.note,
  pedidoEm: row.asked_at,
});

type CopiedLimits = Database['public']['Functions']['page_limits']['Returns'][number];

/** What limits a public page; of its password only that there is one. */
export const copyPageLimits = (row: CopiedLimits): object => ({
  categoriaId: row.id,
  terminaEm: row.ends_at,
  comSenha: row.has_password,
});

export type CopiedGroup = Pick<
  Database['public']['Functions']['list_groups']['Returns'][number],
  'id' | 'name' | 'emails' | 'created_at'
>;

/** A list of addresses that folders are shared with. */
export const copyGroup = (row: CopiedGroup): object => ({
  id: row.id,
  nome: row.name,
  pessoas: row.emails,
  criadoEm: row.created_at,
});

export const copyFolder = (row: CopiedFolder): object => ({
  ...rename(row, NAMES.folders),
  cor: row.folder_looks?.color ?? null,
  emoji: row.folder_looks?.emoji ?? null,
  pessoas: (row.folder_members ?? []).map(({ email, role, created_at, group_id }) => ({
    email,
    papel: role,
    desde: created_at,
    grupoId: group_id ?? null,
  })),
});
export const copyLink = (row: CopiedLink): object => ({
  ...rename(row, NAMES.links),
  lugar: row.manual_order?.rank ?? null,
  tags: (row.link_tags ?? []).map(({ tags }) => tags.name),
});

export function copyCategory(row: CopiedCategory): object {
  return {
    ...rename(row, NAMES.categories),
    ordemPropria: Boolean(row.manual_order),
    entrada: row.is_inbox === true,
    reservada: row.is_held_back === true,
    compartilhamento: {
      publica: row.is_public,
      pessoas: row.shared_with.map((share) => ({ email: share.email, desde: share.created_at })),
    },
  };
}

export type BinRow = Database['public']['Functions']['list_bin_rows']['Returns'][number];

/** What is in the bin, as it stood in its own list, with what it is and its time there. */
export function copyBinRow({ kind, content, deleted_at: at, purge_after: until }: BinRow): object {
  const time = { excluidoEm: at, guardadoAte: until };
  const row: unknown = content;
  if (kind === 'folder') return { tipo: 'pasta', ...time, ...copyFolder(row as CopiedFolder) };
  if (kind === 'category') return { tipo: 'categoria', ...time, ...copyCategory(row as CopiedCategory) };
  return { tipo: 'link', ...time, ...copyLink(row as CopiedLink) };
}

function rename<Row extends object>(row: Row, names: Readonly<Partial<Record<keyof Row, string>>>): object {
  return Object.fromEntries(Object.entries(names).map(([column, name]) => [name, row[column as keyof Row]]));
}

/** 'linkoteca-meus-dados-2026-11-22.json', by the day where the person is. */
export function nameAccountCopy(now: Date): string {
  const day = [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) =>
    String(part).padStart(2, '0'),
  );
  return `linkoteca-meus-dados-${day.join('-')}.json`;
}

function readProviders({ app_metadata }: User): readonly string[] {
  const { providers } = app_metadata;
  return Array.isArray(providers) ? providers.filter((one) => typeof one === 'string') : [];
}

function readText({ user_metadata }: User, key: string): string | null {
  const value: unknown = user_metadata[key];
  return typeof value === 'string' ? value : null;
}
