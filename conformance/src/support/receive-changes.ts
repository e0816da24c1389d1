import type { RealtimeChannel, RealtimePostgresChangesPayload } from '@supabase/supabase-js';

export type Row = Record<string, unknown>;
export type Change = RealtimePostgresChangesPayload<Row>;

export type ChangeFilter = {
  readonly event?: '*' | 'INSERT' | 'UPDATE' | 'DELETE';
  readonly schema?: string;
  readonly table?: string;
  readonly filter?: string;
  readonly select?: string[];
};

/** Registers for changes; to be called before the channel is joined. @returns what is heard, oldest first. */
export function receiveChanges(
  channel: RealtimeChannel,
  { event = '*', schema = 'public', ...rest }: ChangeFilter,
): Change[] {
  const heard: Change[] = [];
  channel.on('postgres_changes', { event: event as '*', schema, ...rest }, (change: Change) =>
    heard.push(change),
  );
  return heard;
}

/** How long to wait for what must come: generous, for a machine that is busy with other tests. */
export const SOON = { timeout: 15_000, interval: 20 } as const;
