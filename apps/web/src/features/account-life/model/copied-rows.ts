import type { Database } from '@linkoteca/database-types/database';

type Row<Table extends keyof Database['public']['Tables']> = Database['public']['Tables'][Table]['Row'];

export type CopiedFolder = Pick<Row<'folders'>, 'id' | 'name' | 'created_at' | 'updated_at'>;
export type CopiedCategory = Pick<
  Row<'categories'>,
  'id' | 'folder_id' | 'name' | 'description' | 'is_public' | 'created_at' | 'updated_at'
> & { readonly shared_with: readonly Pick<Row<'shared_with'>, 'email' | 'created_at'>[] };
export type CopiedLink = Pick<
  Row<'links'>,
  'id' | 'category_id' | 'title' | 'url' | 'description' | 'created_at' | 'updated_at'
>;
export type CopiedProfile = Pick<Row<'profiles'>, 'name' | 'plan' | 'created_at' | 'updated_at'>;
export type CopiedSubscription = Pick<
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

/** What is read of each table, as the table API spells it. */
export const COPIED_COLUMNS = {
  folders: 'id, name, created_at, updated_at',
  categories:
    'id, folder_id, name, description, is_public, created_at, updated_at, shared_with(email, created_at)',
  links: 'id, category_id, title, url, description, created_at, updated_at',
  profiles: 'name, plan, created_at, updated_at',
  subscribers:
    'plan, subscription_status, current_period_end, cancel_at_period_end, trial_end, billing_interval, amount_cents, currency',
} as const;
