import { randomUUID } from 'node:crypto';
import { findLink, waitForMail } from '@linkoteca/server-process/read-mails';
import type { RunningServer } from './run-server.ts';

export type Account = {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly password: string;
  /** A sign-in as the service answered it, the way the official client keeps it. */
  readonly session: object;
  /** Puts rows into a table as this person and gives them back. */
  insert(table: string, rows: readonly object[]): Promise<Record<string, string>[]>;
  /** Reads from a table as this person: `links?select=title`. */
  read(query: string): Promise<unknown>;
  /** Calls a function of the database as this person and gives its answer back. */
  call(name: string, parameters: object): Promise<unknown>;
};

/** A confirmed account, made over the wire: for sentences that begin with 'Quem já tem conta …'. */
export async function openAccount(server: RunningServer, name = 'Ana Souza'): Promise<Account> {
  const email = `ana-${randomUUID()}@example.com`;
  const password = 'uma senha segura';
  const { supabaseAnonKey } = (await (await fetch(`${server.url}/config.json`)).json()) as {
    supabaseAnonKey: string;
  };

  const post = async (path: string, body: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(`${server.url}${path}`, {
      method: 'POST',
      headers: { apikey: supabaseAnonKey, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`);
    return JSON.parse(text);
  };

  await post('/auth/v1/signup', { email, password, data: { name } });
  await fetch(findLink(await waitForMail(server.dataFolder, email), '/auth/v1/verify'), {
    redirect: 'manual',
  });
  const session = (await post('/auth/v1/token?grant_type=password', { email, password })) as {
    access_token: string;
    user: { id: string };
  };
  const authorization = `Bearer ${session.access_token}`;
  return {
    id: session.user.id,
    name,
    email,
    password,
    session,
    insert: (table, rows) =>
      post(`/rest/v1/${table}`, rows, { authorization, prefer: 'return=representation' }),
    read: async (query) =>
      (
        await fetch(`${server.url}/rest/v1/${query}`, { headers: { apikey: supabaseAnonKey, authorization } })
      ).json(),
    call: (name, parameters) => post(`/rest/v1/rpc/${name}`, parameters, { authorization }),
  };
}
