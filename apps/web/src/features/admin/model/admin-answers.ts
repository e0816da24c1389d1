import { placeholderEmail } from '@linkoteca/domain/account-life';
import type { PlanId } from '@linkoteca/domain/plans';
import type { ClosureReason, SubscriptionState } from './admin-messages.ts';

/**
 * What the database's functions for the administrator answer, and what the screens make of it. The shapes are held by
 * supabase/tests/admin.test.ts; a schema library would bring its parts into everybody's first download.
 */

type Revenue = readonly { readonly currency: string; readonly cents: number }[];

/** One account as the database tells of it. Sizes are bytes, moments ISO 8601. */
export interface UserRow {
  readonly id: string;
  readonly email: string | null;
  readonly name: string | null;
  readonly created_at: string;
  readonly plan: PlanId;
  readonly link_count: number;
  readonly folder_count: number;
  readonly last_login: string | null;
  readonly storage_used: number;
  readonly storage_limit: number;
  /** Why the account is closed; null for one that is open. */
  readonly closed_for: ClosureReason | null;
  /** Until then its owner can have a deleted account back. */
  readonly restorable_until: string | null;
}

/** The row of the specification, section 3: 'Admin user row'. */
export type AdminUser = ReturnType<typeof readUser>;

/** An account without an address gets one made from its id. */
export function readUser(row: UserRow) {
  return {
    id: row.id,
    email: row.email || placeholderEmail(row.id),
    name: row.name,
    createdAt: row.created_at,
    plan: row.plan,
    linkCount: row.link_count,
    folderCount: row.folder_count,
    lastLogin: row.last_login,
    storageUsed: row.storage_used,
    storageLimit: row.storage_limit,
    closedFor: row.closed_for,
    restorableUntil: row.restorable_until,
  };
}

export interface OverviewAnswer {
  readonly total_users: number;
  readonly premium_users: number;
  readonly monthly_revenue: Revenue;
  readonly storage_used: number;
  readonly recent_users: readonly UserRow[];
}

/** The dashboard's figures: specification, section 3, 'Admin stats', with the newest users. */
export function readOverview(answer: OverviewAnswer) {
  return {
    totalUsers: answer.total_users,
    premiumUsers: answer.premium_users,
    monthlyRevenue: answer.monthly_revenue,
    storageUsed: answer.storage_used,
    recentUsers: answer.recent_users.map(readUser),
  };
}

export interface UserPageAnswer {
  readonly total: number;
  readonly users: readonly UserRow[];
}

export interface AdminLinkPage {
  readonly total: number;
  readonly links: readonly {
    readonly id: string;
    readonly title: string | null;
    readonly url: string;
    readonly created_at: string;
    readonly category: { readonly id: string; readonly name: string } | null;
    /** Nobody marks favourites in this product. */
    readonly favorite: false;
  }[];
}

export interface AdminSubscriptions {
  readonly monthly_revenue: Revenue;
  readonly states: readonly {
    readonly state: SubscriptionState;
    readonly count: number;
    readonly monthly_revenue: Revenue;
  }[];
  readonly plans: readonly {
    readonly plan: PlanId;
    readonly billing_interval: 'month' | 'year' | null;
    readonly currency: string;
    readonly count: number;
    readonly monthly_cents: number;
  }[];
  readonly total: number;
  readonly subscriptions: readonly {
    readonly user_id: string;
    readonly email: string | null;
    readonly name: string | null;
    readonly plan: PlanId;
    readonly state: SubscriptionState;
    readonly billing_interval: 'month' | 'year' | null;
    readonly amount_cents: number | null;
    readonly currency: string;
    readonly current_period_end: string | null;
    readonly trial_end: string | null;
  }[];
}

export interface AdminStatistics {
  readonly unit: 'day' | 'week' | 'month';
  readonly entries: readonly {
    /** yyyy-MM-dd, a day in Brasília. */
    readonly starts_on: string;
    readonly sign_ups: number;
    readonly active_users: number;
    readonly links_created: number;
    /** Bytes at its end. */
    readonly storage_used: number;
  }[];
}

export interface AdminAudit {
  readonly total: number;
  readonly entries: readonly {
    readonly id: number;
    readonly happened_at: string;
    readonly action: string;
    readonly details: Readonly<Record<string, unknown>>;
    readonly admin_id: string;
    readonly admin_email: string | null;
    readonly user_id: string | null;
    readonly user_email: string | null;
  }[];
}
