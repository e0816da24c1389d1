import type { User } from '@supabase/auth-js';
import type {
  CopiedCategory,
  CopiedFolder,
  CopiedLink,
  CopiedProfile,
  CopiedSubscription,
} from './copied-rows.ts';

/** What the file says it is; docs/account-copy.md describes the shape. A change that old readers would misread is a new version. */
const FORMAT = { formato: 'linkoteca-copia-da-conta', versao: 1 } as const;

/** What belongs to the person besides their library. */
export interface CopiedAccount {
  readonly user: User;
  readonly profile: CopiedProfile | null;
  readonly subscription: CopiedSubscription | null;
  readonly preferences: Readonly<Record<string, string>>;
}

/** The beginning of the file, up to the lists: no token, no key, nothing that lets anybody in. */
export function openAccountCopy(account: CopiedAccount, now: Date): string {
  const { user, profile, subscription, preferences } = account;
  const head = {
    ...FORMAT,
    geradoEm: now.toISOString(),
    conta: {
      id: user.id,
      email: user.email ?? null,
      criadaEm: user.created_at,
      ultimaEntradaEm: user.last_sign_in_at ?? null,
      entraCom: readProviders(user),
    },
    perfil: {
      nome: profile?.name ?? null,
      primeiroNome: readText(user, 'firstName'),
      sobrenome: readText(user, 'lastName'),
      plano: profile?.plan ?? 'free',
      criadoEm: profile?.created_at ?? null,
      atualizadoEm: profile?.updated_at ?? null,
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
  };
  return JSON.stringify(head, null, 2).replace(/\n\}$/, '');
}

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

export function copyFolder({ id, name, created_at, updated_at }: CopiedFolder): object {
  return { id, nome: name, criadaEm: created_at, atualizadaEm: updated_at };
}

export function copyCategory(category: CopiedCategory): object {
  const { id, folder_id, name, description, is_public, created_at, updated_at, shared_with } = category;
  return {
    id,
    pastaId: folder_id,
    nome: name,
    descricao: description,
    criadaEm: created_at,
    atualizadaEm: updated_at,
    compartilhamento: {
      publica: is_public,
      pessoas: shared_with.map((share) => ({ email: share.email, desde: share.created_at })),
    },
  };
}

export function copyLink({
  id,
  category_id,
  title,
  url,
  description,
  created_at,
  updated_at,
}: CopiedLink): object {
  return {
    id,
    categoriaId: category_id,
    titulo: title,
    endereco: url,
    descricao: description,
    criadoEm: created_at,
    atualizadoEm: updated_at,
  };
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
