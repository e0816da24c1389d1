import { placeholderEmail, SUBSCRIPTION_STATES } from '@linkoteca/domain/admin-messages';
import { PLAN_IDS } from '@linkoteca/domain/plans';
import * as v from 'valibot';

/** What the database's functions for the administrator answer, read into what the screens show. */

const stateNames = Object.keys(SUBSCRIPTION_STATES) as (keyof typeof SUBSCRIPTION_STATES)[];

const planSchema = v.picklist(PLAN_IDS);
const revenueSchema = v.array(v.object({ currency: v.string(), cents: v.number() }));

export const userSchema = v.pipe(
  v.object({
    id: v.string(),
    email: v.nullable(v.string()),
    name: v.nullable(v.string()),
    created_at: v.string(),
    plan: planSchema,
    link_count: v.number(),
    folder_count: v.number(),
    last_login: v.nullable(v.string()),
    storage_used: v.number(),
    storage_limit: v.number(),
  }),
  v.transform((row) => ({
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
  })),
);
export type AdminUser = v.InferOutput<typeof userSchema>;

export const userPageSchema = v.object({ total: v.number(), users: v.array(userSchema) });
export type AdminUserPage = v.InferOutput<typeof userPageSchema>;

export const linkPageSchema = v.object({
  total: v.number(),
  links: v.array(
    v.pipe(
      v.object({
        id: v.string(),
        title: v.nullable(v.string()),
        url: v.string(),
        created_at: v.string(),
        category: v.nullable(v.object({ id: v.string(), name: v.string() })),
      }),
      // Nobody marks favourites in this product: the specification's field is always false.
      v.transform(({ created_at, ...link }) => ({
        ...link,
        createdAt: created_at,
        favorite: false as const,
      })),
    ),
  ),
});
export type AdminLinkPage = v.InferOutput<typeof linkPageSchema>;

export const overviewSchema = v.pipe(
  v.object({
    total_users: v.number(),
    premium_users: v.number(),
    monthly_revenue: revenueSchema,
    storage_used: v.number(),
    recent_users: v.array(userSchema),
  }),
  v.transform((row) => ({
    totalUsers: row.total_users,
    premiumUsers: row.premium_users,
    monthlyRevenue: row.monthly_revenue,
    storageUsed: row.storage_used,
    recentUsers: row.recent_users,
  })),
);
export type AdminOverview = v.InferOutput<typeof overviewSchema>;

export const subscriptionsSchema = v.object({
  monthly_revenue: revenueSchema,
  states: v.array(
    v.object({ state: v.picklist(stateNames), count: v.number(), monthly_revenue: revenueSchema }),
  ),
  plans: v.array(
    v.object({
      plan: planSchema,
      billing_interval: v.nullable(v.picklist(['month', 'year'])),
      currency: v.string(),
      count: v.number(),
      monthly_cents: v.number(),
    }),
  ),
  total: v.number(),
  subscriptions: v.array(
    v.pipe(
      v.object({
        user_id: v.string(),
        email: v.nullable(v.string()),
        name: v.nullable(v.string()),
        plan: planSchema,
        state: v.picklist(stateNames),
        billing_interval: v.nullable(v.picklist(['month', 'year'])),
        amount_cents: v.nullable(v.number()),
        currency: v.string(),
        current_period_end: v.nullable(v.string()),
        trial_end: v.nullable(v.string()),
      }),
      v.transform((row) => ({ ...row, email: row.email || placeholderEmail(row.user_id) })),
    ),
  ),
});
export type AdminSubscriptions = v.InferOutput<typeof subscriptionsSchema>;

export const statisticsSchema = v.object({
  unit: v.picklist(['day', 'week', 'month']),
  entries: v.array(
    v.object({
      starts_on: v.string(),
      sign_ups: v.number(),
      active_users: v.number(),
      links_created: v.number(),
      storage_used: v.number(),
    }),
  ),
});
export type AdminStatistics = v.InferOutput<typeof statisticsSchema>;

export const auditSchema = v.object({
  total: v.number(),
  entries: v.array(
    v.object({
      id: v.number(),
      happened_at: v.string(),
      action: v.string(),
      details: v.record(v.string(), v.unknown()),
      admin_id: v.string(),
      admin_email: v.nullable(v.string()),
      user_id: v.nullable(v.string()),
      user_email: v.nullable(v.string()),
    }),
  ),
});
export type AdminAudit = v.InferOutput<typeof auditSchema>;
