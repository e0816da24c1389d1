import { parseArgs } from 'node:util';
import type { ClientBody } from '../services/auth/oauth-server/client-metadata.ts';

/** What the operator wants done with the programs that people may let act for them. */
export type ProgramsPlan =
  | { readonly kind: 'list' }
  | { readonly kind: 'add'; readonly body: ClientBody }
  | { readonly kind: 'remove'; readonly id: string };

const OPTIONS = {
  add: { type: 'string' },
  redirect: { type: 'string', multiple: true },
  site: { type: 'string' },
  secret: { type: 'boolean', default: false },
  remove: { type: 'string' },
} as const;

/** @returns undefined for arguments that make no sense together */
export function planPrograms(args: readonly string[]): ProgramsPlan | undefined {
  const values = readOptions(args);
  if (!values) return undefined;
  const { add, redirect, site, secret, remove } = values;
  if (remove !== undefined) {
    const isAlone = add === undefined && !redirect && site === undefined && !secret;
    return isAlone ? { kind: 'remove', id: remove } : undefined;
  }
  if (add === undefined) return redirect || site !== undefined || secret ? undefined : { kind: 'list' };
  const token_endpoint_auth_method = secret ? 'client_secret_basic' : 'none';
  return {
    kind: 'add',
    body: { client_name: add, client_uri: site, redirect_uris: redirect, token_endpoint_auth_method },
  } as { readonly kind: 'add'; readonly body: ClientBody };
}

function readOptions(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS }).values;
  } catch {
    return undefined;
  }
}
