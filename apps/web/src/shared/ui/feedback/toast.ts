import { DELAY_MS } from '@linkoteca/domain/limits';

interface ToastAction {
  readonly label: string;
  readonly onPress: () => void;
  /** Shown as the button's tooltip: 'Desfazer (Ctrl+Z)'. */
  readonly hint?: string;
}

export interface ToastOptions {
  /** A button in the toast: 'Desfazer', 'Upgrade', 'Reenviar e-mail'. The toast closes when it is pressed. */
  readonly action?: ToastAction;
  /** Another button before it, for what one may want to do next: 'Organizar'. */
  readonly next?: ToastAction;
  /** Milliseconds until it goes by itself: 4 s by default, 10 s where there is something to press; 0 stays. */
  readonly timeoutMs?: number;
  /** Of an earlier toast, whose place this one takes. */
  readonly id?: string;
  /** It goes away: by time, by hand, or because its action was pressed. */
  readonly onClose?: () => void;
}

/** What the region draws beside what its library knows of. */
export interface ToastData {
  readonly next?: { readonly label: string; readonly press: () => void } | undefined;
}

/** What the region's manager takes; its own type would bring its code along. */
interface ToastRequest {
  readonly id: string;
  readonly type: ToastType;
  readonly title: string;
  readonly description: string | undefined;
  readonly timeout: number;
  readonly onClose: (() => void) | undefined;
  readonly data: ToastData;
  readonly actionProps:
    | { readonly children: string; readonly onClick: () => void; readonly title: string | undefined }
    | undefined;
}

interface ToastQueue {
  readonly add: (request: ToastRequest) => unknown;
  readonly close: (id: string) => void;
}

type ToastType = 'success' | 'error' | 'info';

let queue: ToastQueue | null = null;
let waiting: readonly ToastRequest[] = [];
let count = 0;

/** Called by the region when it can show toasts; what was asked for earlier appears then. Returns the way back. */
export function connectToastQueue(next: ToastQueue): () => void {
  queue = next;
  for (const request of waiting) next.add(request);
  waiting = [];
  return () => {
    queue = null;
  };
}

function close(id: string): void {
  waiting = waiting.filter((request) => request.id !== id);
  queue?.close(id);
}

function add(type: ToastType, title: string, description?: string, options: ToastOptions = {}): string {
  const { action, next, onClose } = options;
  count += 1;
  const id = options.id ?? `toast-${count}`;
  const pressOf = (pressed: ToastAction | undefined) => () => {
    close(id);
    pressed?.onPress();
  };
  const request: ToastRequest = {
    id,
    type,
    title,
    // Named even when there is none: nothing of a toast whose place this one takes may stay.
    description: description || undefined,
    timeout: options.timeoutMs ?? (action ? DELAY_MS.undoToast : DELAY_MS.toast),
    onClose,
    data: { next: next && { label: next.label, press: pressOf(next) } },
    actionProps: action && { children: action.label, onClick: pressOf(action), title: action.hint },
  };
  if (queue) queue.add(request);
  else waiting = [...waiting.filter((other) => other.id !== id), request];
  return id;
}

/** Short notices at the corner: `toast.success('Pasta criada com sucesso')`. Each returns an id for `toast.close`. */
export const toast = {
  success: (title: string, description?: string, options?: ToastOptions) =>
    add('success', title, description, options),
  error: (title: string, description?: string, options?: ToastOptions) =>
    add('error', title, description, options),
  info: (title: string, description?: string, options?: ToastOptions) =>
    add('info', title, description, options),
  close,
} as const;
