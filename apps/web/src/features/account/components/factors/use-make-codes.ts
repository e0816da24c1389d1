import { useState } from 'react';
import { describeError } from '../../../../shared/lib/describe-error.ts';
import { useSingleFlight } from '../../../../shared/lib/writes/use-single-flight.ts';
import { toast } from '../../../../shared/ui/feedback/toast.ts';
import { useMakeRecoveryCodes } from '../../api/factors.ts';
import { FACTOR_MESSAGES as TEXT } from '../../model/factor-messages.ts';

/** Recovery codes that were made a moment ago, until they are forgotten here as everywhere. */
export interface MakingCodes {
  readonly codes: readonly string[] | null;
  readonly busy: boolean;
  readonly make: () => Promise<void>;
  readonly forget: () => void;
}

/**
 * @param replace there are some, which the new ones take the place of
 * @param prepare fetches what shows them: codes that cannot be shown must not take the place of others
 */
export function useMakeCodes(replace: boolean, prepare: () => Promise<void>): MakingCodes {
  const making = useMakeRecoveryCodes();
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const [busy, setBusy] = useState(false);
  // Once: codes that are made twice are worth nothing where the first ones were kept.
  const make = useSingleFlight<void>(async () => {
    setBusy(true);
    try {
      await prepare();
      setCodes(await making.mutateAsync({ replace, friendlyName: TEXT.codesName }));
    } catch (error) {
      toast.error(describeError(error, TEXT.codesFailed));
    }
    setBusy(false);
  });
  return { codes, busy, make, forget: () => setCodes(null) };
}
