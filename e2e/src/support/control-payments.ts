import type { RunningServer } from './run-server.ts';

type PaymentState = {
  readonly now: number;
  readonly webhooks: { readonly held: boolean; readonly pending: number };
  readonly subscriptions: readonly {
    readonly id: string;
    readonly email: string | null;
    readonly price: string;
    readonly status: string;
    readonly currentPeriodEnd: number;
  }[];
};

/** The payment emulator's own controls (packages/payment-emulator/README.md): its clock, its webhook, what only banks do. */
export function controlPayments({ url }: Pick<RunningServer, 'url'>) {
  const base = `${url}/payment-emulator/control`;
  const readState = async () => (await (await fetch(`${base}/state`)).json()) as PaymentState;
  return {
    readState,
    /** One person's subscriptions, those that have ended included. */
    listSubscriptions: async (email: string) =>
      (await readState()).subscriptions.filter((subscription) => subscription.email === email),
    perform: async (action: 'advance' | 'webhooks' | 'deliver' | 'refund', fields: object): Promise<void> => {
      const response = await fetch(`${base}/${action}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(fields),
      });
      if (!response.ok) throw new Error(`${action} answered ${response.status}: ${await response.text()}`);
    },
  };
}
