import { Toast as Base } from '@base-ui/react/toast';

export interface ToastOptions {
  /** A button in the toast: 'Desfazer', 'Upgrade', 'Reenviar e-mail'. The toast closes when it is pressed. */
  readonly action?: { readonly label: string; readonly onPress: () => void };
  /** Milliseconds until it goes by itself; default 5000, 0 stays. */
  readonly timeoutMs?: number;
}

/** The queue that ToastRegion shows. */
export const toastManager = Base.createToastManager();

function add(
  type: 'success' | 'error' | 'info',
  title: string,
  description?: string,
  options: ToastOptions = {},
): string {
  const { action, timeoutMs } = options;
  const id = toastManager.add({
    type,
    title,
    ...(description ? { description } : {}),
    ...(timeoutMs === undefined ? {} : { timeout: timeoutMs }),
    ...(action
      ? {
          actionProps: {
            children: action.label,
            onClick: () => {
              toastManager.close(id);
              action.onPress();
            },
          },
        }
      : {}),
  });
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
  close: (id: string) => toastManager.close(id),
} as const;

export type Toast = typeof toast;
