import { OFFLINE_MESSAGES } from '@linkoteca/domain/messages/offline-messages';
import type { ComponentType } from 'react';
import { createContext, lazy, use, useEffect, useMemo, useRef, useState } from 'react';
import { toast } from '../../ui/feedback/toast.ts';
import { useOnline } from '../connection/connection-context.tsx';
import { log } from '../log.ts';

interface MissingPart {
  /** The next time the part is asked for, it is fetched again. */
  readonly forget: () => void;
  /** Fetches it now, in place. */
  readonly retry: () => void;
}

const MissingPartContext = createContext<MissingPart>({ forget: () => undefined, retry: () => undefined });

/**
 * React's `lazy`, for code that may fail to arrive: the network is away, the server restarts, a new version replaced
 * the file. React would keep the failure for good and break what is around; here the part stays away, says so, and is
 * fetched again when it is asked for again or when the network is back.
 * @param pick takes the component out of its module.
 * @returns the part, and `preload`, which fetches it ahead: it is then drawn with what asks for it, where React's own shows a
 *   placeholder first, and for at least 300 ms where one stood there a moment ago.
 */
export function lazyPart<Module, Props extends object>(
  load: () => Promise<Module>,
  pick: (module: Module) => ComponentType<Props>,
): ComponentType<Props> & { readonly preload: () => Promise<void> } {
  let arrived: ComponentType<Props> | undefined;
  const preload = async () => {
    arrived = pick(await load());
  };
  const attempt = async (): Promise<{ readonly default: ComponentType<Props> }> => {
    try {
      return { default: pick(await load()) };
    } catch (error) {
      log.warn('code could not be loaded', error);
      return { default: MissingCode };
    }
  };
  const begin = () => lazy(attempt);
  let current = begin();
  const forget = () => {
    current = begin();
  };

  // biome-ignore lint/correctness/noComponentHookFactories: called once a module, as React's own lazy is
  function LazyPart(props: Props) {
    const [Part, setPart] = useState<ComponentType<Props>>(() => arrived ?? current);
    const missing = useMemo(() => ({ forget, retry: () => setPart(() => current) }), []);
    return (
      <MissingPartContext value={missing}>
        <Part {...props} />
      </MissingPartContext>
    );
  }
  return Object.assign(LazyPart, { preload });
}

/** What most parts are told: whether they are open, or beside which element, and how they close. */
interface PartProps {
  readonly open?: boolean;
  readonly anchor?: unknown;
  readonly onClose?: () => void;
}

/**
 * Tells that something cannot be opened now, and closes it: the next press fetches it again. What cannot be closed comes by itself when
 * the network is back.
 */
function MissingCode(props: PartProps) {
  const { forget, retry } = use(MissingPartContext);
  const online = useOnline();
  const asked = 'open' in props ? props.open === true : props.anchor !== null;
  const wanted = asked && online;
  const before = useRef(wanted);

  // Here and not when it fails: whoever waits for the failed attempt must see that it failed.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, of what was so when it failed
  useEffect(() => {
    forget();
    // What was fetched ahead is missed by nobody.
    if (!asked) return;
    const { title, ...why } = OFFLINE_MESSAGES.codeMissing;
    toast.error(title, online && navigator.onLine ? why.online : why.offline);
    props.onClose?.();
  }, []);
  useEffect(() => {
    if (wanted && !before.current) retry();
    before.current = wanted;
  }, [wanted, retry]);
  return null;
}
