import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { log } from '../../../shared/lib/log.ts';
import { useBackend } from '../../../shared/lib/supabase/backend-context.tsx';
import { useAuthorizedFetch } from '../../../shared/lib/supabase/use-authorized-fetch.ts';
import { type PriceList, readPriceList } from '../model/prices.ts';

/** After that the cards show the table's own figures: they are what a price is asked from, and nobody waits for ever. */
const PATIENCE_MS = 5_000;
/** Prices change a few times a year. */
const FRESH_MS = 600_000;

function usePriceOptions() {
  const send = useAuthorizedFetch();
  const { supabaseUrl } = useBackend().config;
  return queryOptions({
    queryKey: ['prices'],
    // null: they could not be asked for, which the screen gets by without and the next look at it asks again.
    queryFn: async ({ signal }): Promise<PriceList | null> => {
      try {
        const response = await send(`${supabaseUrl}/functions/v1/list-prices`, {
          signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]),
        });
        if (!response.ok) throw new Error(`list-prices answered ${response.status}`);
        const list = readPriceList(await response.json());
        if (list === null) throw new Error('list-prices answered something else');
        return list;
      } catch (error) {
        if (signal.aborted) throw error;
        log.warn('the prices could not be read', error);
        return null;
      }
    },
    staleTime: ({ state }) => (state.data ? FRESH_MS : 0),
  });
}

/** What the plans cost, from the payment provider's price objects. */
export function usePrices() {
  const { data, isPending, fetchStatus } = useQuery(usePriceOptions());
  const { paymentsEmulated } = useBackend().config;
  return {
    list: data ?? null,
    testMode: data?.testMode ?? paymentsEmulated,
    // The emulator sells at the table's prices. Offline the question waits for the network, and the screen does not.
    loading: isPending && fetchStatus === 'fetching' && !paymentsEmulated,
  };
}

/** Asks for the prices unless they are known: whoever subscribes needs a price's id. null as above. */
export function useLoadPrices(): () => Promise<PriceList | null> {
  const queryClient = useQueryClient();
  const options = usePriceOptions();
  return () => queryClient.fetchQuery(options);
}
