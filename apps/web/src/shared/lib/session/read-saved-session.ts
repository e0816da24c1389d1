import type { Session } from '@supabase/auth-js';
import * as v from 'valibot';
import { findAuthStorageKeys } from '../supabase/auth-storage-key.ts';

const savedSessionSchema = v.looseObject({
  access_token: v.string(),
  refresh_token: v.pipe(v.string(), v.nonEmpty()),
  user: v.looseObject({ id: v.string() }),
});

/** The session that the auth client saved in this browser, whether or not it has run out; null when there is none. */
export function readSavedSession(storage: Storage): Session | null {
  for (const key of findAuthStorageKeys(storage)) {
    const saved = v.safeParse(savedSessionSchema, parse(storage.getItem(key)));
    if (saved.success) return saved.output as unknown as Session;
  }
  return null;
}

function parse(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return null;
  }
}
