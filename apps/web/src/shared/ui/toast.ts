export interface ToastOptions {
  /** A button in the toast: 'Desfazer', 'Upgrade', 'Reenviar e-mail'. The toast closes when it is pressed. */
  readonly action?: { readonly label: string; readonly onPress: () => void };
  /** Milliseconds until it goes by itself; default 5000, 0 stays. */
  readonly timeoutMs?: number;
}

/** What the region's manager takes; its own type would bring its code along. */
interface ToastRequest {
  readonly id: string;
  readonly type: ToastType;
  readonly title: string;
  readonly description?: string;
  readonly timeout?: number;
  readonly actionProps?: { readonly children: string; readonly onClick: () => void };
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
  const { action, timeoutMs } = options;
  count += 1;
  const id = `toast-${count}`;
  const press = () => {
    close(id);
    action?.onPress();
  };
  const request: ToastRequest = {
    id,
    type,
    title,
    ...(description ? { description } : {}),
    ...(timeoutMs === undefined ? {} : { timeout: timeoutMs }),
    ...(action ? { actionProps: { children: action.label, onClick: press } } : {}),
  };
  if (queue) queue.add(request);
  else waiting = [...waiting, request];
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
