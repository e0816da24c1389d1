import { collectPages } from '@linkoteca/domain/collect-pages';
import type { GoTrueClient } from '@supabase/auth-js';
import { useEffect, useRef, useState } from 'react';
import { openStorage } from '../../../shared/lib/browser/open-storage.ts';
import { saveFile } from '../../../shared/lib/browser/save-file.ts';
import { log } from '../../../shared/lib/log.ts';
import { columnsOf } from '../../../shared/lib/rows.ts';
import { readPerson } from '../../../shared/lib/session/read-person.ts';
import { useUserId } from '../../../shared/lib/session/session-context.tsx';
import { useBackend, useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';
import type { DatabaseClient } from '../../../shared/lib/supabase/create-database-client.ts';
import { readOwnRows } from '../../../shared/lib/supabase/read-own-rows.ts';
import { useAuthorizedFetch } from '../../../shared/lib/supabase/use-authorized-fetch.ts';
import {
  ACCOUNT_COPY_END,
  type CopiedAccess,
  type CopiedAccount,
  type CopiedCategory,
  type CopiedFolder,
  type CopiedGroup,
  type CopiedLink,
  copyAccessRequest,
  copyBinRow,
  copyCategory,
  copyFavorite,
  copyFolder,
  copyGroup,
  copyLink,
  copyPageLimits,
  copySavedSearch,
  copyTag,
  nameAccountCopy,
  openAccountCopy,
  writeList,
} from '../model/account-copy-file.ts';
import { useReadPicture } from './own-picture.ts';
import { readAccountAccess } from './read-account-access.ts';
import { readBinRows } from './read-bin-rows.ts';

export type AccountCopyState =
  | { readonly status: 'idle' | 'done' | 'canceled' }
  | { readonly status: 'failed'; readonly error: unknown }
  | { readonly status: 'working'; readonly percent: number };

interface AccountCopy {
  readonly state: AccountCopyState;
  readonly start: () => void;
  readonly cancel: () => void;
}

/** Makes the copy of everything and saves it; leaving the page ends it. */
export function useAccountCopy(): AccountCopy {
  const { auth, config } = useBackend();
  const send = useAuthorizedFetch();
  const database = useDatabase();
  const userId = useUserId();
  const readPicture = useReadPicture();
  const [state, setState] = useState<AccountCopyState>({ status: 'idle' });
  const running = useRef<AbortController>(null);
  useEffect(() => () => running.current?.abort(), []);

  const start = async () => {
    if (running.current) return;
    const controller = new AbortController();
    running.current = controller;
    const { signal } = controller;
    setState({ status: 'working', percent: 0 });
    const now = new Date();
    const onProgress = (percent: number) => setState({ status: 'working', percent });
    try {
      const copy = await makeAccountCopy({
        auth,
        database,
        userId,
        storage: openStorage(),
        readPicture,
        readAccess: () => readAccountAccess({ auth, config, send }, signal),
        now,
        signal,
        onProgress,
      });
      signal.throwIfAborted();
      saveFile(copy, nameAccountCopy(now));
      setState({ status: 'done' });
    } catch (error) {
      log.warn('the copy of the account could not be made', error);
      setState(signal.aborted ? { status: 'canceled' } : { status: 'failed', error });
    } finally {
      running.current = null;
    }
  };
  return { state, start: () => void start(), cancel: () => running.current?.abort() };
}

interface AccountCopyOptions {
  readonly auth: Pick<GoTrueClient, 'getSession' | 'getUser'>;
  readonly database: DatabaseClient;
  readonly userId: string;
  readonly storage: Pick<Storage, 'getItem'>;
  readonly readPicture: (userId: string, path: string, signal: AbortSignal) => Promise<string>;
  readonly readAccess: () => Promise<CopiedAccess>;
  readonly now: Date;
  readonly signal: AbortSignal;
  /** Told how much of the library has been read, 0 to 100. */
  readonly onProgress: (percent: number) => void;
}

/** Choices that this browser keeps, by what the file calls them. */
const PREFERENCES = {
  tema: 'linkoteca-theme',
  exibicaoDosLinks: 'linkoteca-link-view',
  barraLateral: 'linkoteca-sidebar',
  atalhosDeUmaTecla: 'linkoteca-single-keys',
  titulosDasPaginas: 'linkoteca-page-titles',
  grupoDeFavoritos: 'linkoteca-favorites',
  grupoDeBuscasSalvas: 'linkoteca-saved-searches',
  ordemDosLinks: 'linkoteca-link-order',
  ordemDasTags: 'linkoteca-tag-order',
} as const;

/**
 * Reads everything that is the person's own, with their own rights, and writes it as one JSON file (docs/account-copy.md). Parts, so that a
 * hundred thousand links never are one string.
 * @throws what a read throws; AbortError when it was cancelled.
 */
export async function makeAccountCopy(options: AccountCopyOptions): Promise<Blob> {
  const { database, userId, signal, now, onProgress } = options;
  const account = await readAccount(options);
  const total = await countRows(options);
  let done = 0;
  const own = { database, userId, signal };
  async function* counted<Row>(pages: AsyncIterable<readonly Row[]>, copy: (row: Row) => object) {
    for await (const page of pages) {
      signal.throwIfAborted();
      done += page.length;
      onProgress(Math.min(99, (100 * done) / Math.max(total, 1)));
      yield page.map(copy);
    }
  }
  const parts: BlobPart[] = [openAccountCopy(account, now)];
  const lists = [
    writeList('pastas', counted(readRowsInPages({ ...own, table: 'folders' }), copyFolder)),
    writeList('categorias', counted(readRowsInPages({ ...own, table: 'categories' }), copyCategory)),
    writeList('links', counted(readRowsInPages({ ...own, table: 'links' }), copyLink)),
    writeList('lixeira', counted(readBinRows(own), copyBinRow)),
    writeList('favoritos', counted(readFavorites(own), copyFavorite)),
    writeList('buscasSalvas', counted(readSavedSearches(own), copySavedSearch)),
    writeList('tags', counted(readTags(own), copyTag)),
    writeList('paginasPublicas', counted(readPageLimits(own), copyPageLimits)),
    writeList('pedidosDeAcesso', counted(readAccessRequests(own), copyAccessRequest)),
    writeList('grupos', counted(readGroups(own), copyGroup)),
  ];
  for (const list of lists) for await (const part of list) parts.push(part);
  parts.push(ACCOUNT_COPY_END);
  return new Blob(parts, { type: 'application/json' });
}

async function readAccount(options: AccountCopyOptions): Promise<CopiedAccount> {
  const { auth, database, userId, storage, readPicture, readAccess, signal } = options;
  const session = await auth.getSession();
  if (session.error) throw session.error;
  const saved = session.data.session;
  // Without a session everything would be read as a visitor, and the file would say that there is nothing.
  if (saved?.user.id !== userId) throw new Error('nobody is signed in');
  const [fresh, profile, subscription, dailyMail, mail] = await Promise.all([
    // What the browser saved is as old as its token, and knows nothing of what another device changed since.
    auth.getUser(saved.access_token),
    database
      .from('profiles')
      .select('name, plan, created_at, updated_at')
      .eq('id', userId)
      .abortSignal(signal)
      .maybeSingle(),
    database
      .from('subscribers')
      .select(
        'plan, subscription_status, current_period_end, cancel_at_period_end, trial_end, billing_interval, amount_cents, currency',
      )
      .eq('user_id', userId)
      .abortSignal(signal)
      .maybeSingle(),
    database.rpc('daily_mail').abortSignal(signal),
    database.rpc('mail_address').abortSignal(signal),
  ]);
  if (fresh.error) throw fresh.error;
  const failure = profile.error ?? subscription.error ?? dailyMail.error ?? mail.error;
  if (failure) throw failure;
  const { user } = fresh.data;
  const kept = Object.entries(PREFERENCES).flatMap(([name, key]) => {
    const value = storage.getItem(key);
    return value === null ? [] : [[name, value] as const];
  });
  const { ownPicture } = readPerson(user);
  return {
    user,
    access: await readAccess(),
    picture: ownPicture === undefined ? null : await readPicture(userId, ownPicture, signal),
    profile: profile.data,
    dailyMail: dailyMail.data === true,
    mailAddress: mail.data?.[0] ?? null,
    subscription: subscription.data,
    preferences: Object.fromEntries(kept),
  };
}

/** How much there is to read, for the bar alone. */
async function countRows({ database, userId, signal }: AccountCopyOptions): Promise<number> {
  const { data } = await database
    .from('library_counts')
    .select('link_count, category_count')
    .eq('user_id', userId)
    .abortSignal(signal)
    .maybeSingle();
  return (data?.link_count ?? 0) + (data?.category_count ?? 0);
}

interface CopiedLists {
  readonly folders: CopiedFolder;
  readonly categories: CopiedCategory;
  readonly links: CopiedLink;
}

interface PagedRead<Table extends keyof CopiedLists> {
  readonly database: DatabaseClient;
  readonly table: Table;
  readonly userId: string;
  readonly signal: AbortSignal;
  readonly pageSize?: number;
}

type OwnRead = Pick<AccountCopyOptions, 'database' | 'userId' | 'signal'>;

function readFavorites(own: OwnRead): AsyncGenerator<readonly Parameters<typeof copyFavorite>[0][]> {
  return readOwnRows({ ...own, table: 'favorites', columns: 'id,link_id,category_id,created_at' });
}

function readSavedSearches(own: OwnRead): AsyncGenerator<readonly Parameters<typeof copySavedSearch>[0][]> {
  return readOwnRows({ ...own, table: 'saved_searches', columns: 'id,name,question,created_at' });
}

function readTags(own: OwnRead): AsyncGenerator<readonly Parameters<typeof copyTag>[0][]> {
  return readOwnRows({ ...own, table: 'tags', columns: 'id,name,color,created_at' });
}

async function* readPageLimits({ database, signal }: OwnRead) {
  yield await collectPages(async (from, to) => {
    const { data } = await database.rpc('page_limits').range(from, to).abortSignal(signal).throwOnError();
    return data;
  });
}

async function* readAccessRequests({ database, signal }: OwnRead) {
  yield await collectPages(async (from, to) => {
    const { data } = await database
      .rpc('list_own_access_requests')
      .range(from, to)
      .abortSignal(signal)
      .throwOnError();
    return data;
  });
}

/** All of them at once: there are a hundred at most. */
async function* readGroups({ database, signal }: OwnRead): AsyncGenerator<readonly CopiedGroup[]> {
  yield (await database.rpc('list_groups').abortSignal(signal).throwOnError()).data;
}

/** What belongs to the rows of a table and stands in another. */
const BESIDE: Readonly<Record<keyof CopiedLists, string>> = {
  folders: ',folder_looks(color,emoji),folder_members(email,role,created_at,group_id)',
  categories: ',shared_with(email,created_at),manual_order(category_id),is_inbox,is_held_back',
  links: ',manual_order(rank),link_tags(tags(name))',
};

/** Reads what is copied of the person's rows of a table, oldest first, page after page. */
function readRowsInPages<Table extends keyof CopiedLists>(
  read: PagedRead<Table>,
): AsyncGenerator<readonly CopiedLists[Table][]> {
  const columns = columnsOf(read.table);
  return readOwnRows<CopiedLists[Table]>({ ...read, columns: columns + BESIDE[read.table] });
}
