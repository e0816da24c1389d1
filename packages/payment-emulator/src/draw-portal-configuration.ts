import type { ObjectOf } from './ledger/object-kinds.ts';

type Features = ObjectOf['billing_portal.configuration']['features'];

/** What the portal lets people do: everything, with the difference of a changed plan billed at once. */
export function drawPortalConfiguration(time: number): ObjectOf['billing_portal.configuration'] {
  const created = Math.floor(time);
  return {
    id: 'bpc_emulator',
    object: 'billing_portal.configuration',
    active: true,
    application: null,
    business_profile: { headline: null, privacy_policy_url: null, terms_of_service_url: null },
    created,
    default_return_url: null,
    features: {
      customer_update: { allowed_updates: [], enabled: false },
      invoice_history: { enabled: true },
      payment_method_update: { enabled: true, payment_method_configuration: null },
      subscription_cancel: {
        cancellation_reason: { enabled: false, feedback_options: null, options: [] },
        enabled: true,
        mode: 'at_period_end',
        proration_behavior: 'none',
      },
      // How long a pause may last is of no interest where there are none.
      subscription_pause: { enabled: false } as Features['subscription_pause'],
      subscription_update: {
        billing_cycle_anchor: 'unchanged',
        default_allowed_updates: ['price'],
        enabled: true,
        proration_behavior: 'always_invoice',
        schedule_at_period_end: { conditions: [] },
        trial_update_behavior: 'continue_trial',
      },
    },
    is_default: true,
    livemode: false,
    login_page: { enabled: false, url: null },
    metadata: {},
    name: null,
    updated: created,
  };
}
