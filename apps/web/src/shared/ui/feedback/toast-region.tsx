import { Toast as Base } from '@base-ui/react/toast';
import { CircleAlert, CircleCheck, Info, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useEffect } from 'react';
import { connectToastQueue, type ToastData } from './toast.ts';

const icons: Record<string, ReactNode> = {
  success: <CircleCheck aria-hidden className="text-accent-text" />,
  error: <CircleAlert aria-hidden className="text-danger-text" />,
  info: <Info aria-hidden className="text-ink-faint" />,
};

const rootClassName =
  // Stacks upwards from the foot; on phones downwards from the top, where no dialog's button and no thumb is.
  '[--gap:0.5rem] [--way:-1] max-md:[--way:1] [--height:var(--toast-frontmost-height,var(--toast-height))] ' +
  '[--offset:calc(var(--toast-offset-y)*var(--way)+var(--toast-index)*var(--gap)*var(--way)+var(--toast-swipe-movement-y))] ' +
  'absolute right-0 bottom-0 max-md:top-0 max-md:bottom-auto max-md:origin-top z-[calc(1000-var(--toast-index))] h-(--height) w-full origin-bottom rounded-lg border border-line bg-surface text-ink shadow-float select-none ' +
  '[transform:translateX(var(--toast-swipe-movement-x))_translateY(calc(var(--toast-swipe-movement-y)+var(--toast-index)*0.5rem*var(--way)))_scale(calc(1-var(--toast-index)*0.04))] ' +
  'transition-[transform,opacity,height] ease-out after:absolute after:top-full after:left-0 after:h-3 after:w-full ' +
  'data-expanded:h-(--toast-height) data-expanded:[transform:translateX(var(--toast-swipe-movement-x))_translateY(var(--offset))] ' +
  'data-limited:opacity-0 data-ending-style:opacity-0 data-starting-style:opacity-0 ' +
  'data-starting-style:[transform:translateY(calc(-0.75rem*var(--way)))] ' +
  'data-ending-style:data-[swipe-direction=right]:[transform:translateX(calc(var(--toast-swipe-movement-x)+110%))] ' +
  'data-ending-style:data-[swipe-direction=up]:[transform:translateY(calc(var(--toast-swipe-movement-y)-110%))] ' +
  'data-ending-style:data-[swipe-direction=down]:[transform:translateY(calc(var(--toast-swipe-movement-y)+110%))]';

const buttonClassName =
  'h-8 shrink-0 rounded-sm px-2 text-sm font-medium text-accent-text hover:bg-hover pointer-coarse:-my-2 pointer-coarse:h-11';

const manager = Base.createToastManager<ToastData>();

/** Where toasts appear: bottom right, or across the top of a phone. F6 brings the keyboard here. */
export function ToastRegion() {
  // After mounting: the provider below listens by then, so nothing that waited gets lost.
  useEffect(() => connectToastQueue(manager), []);
  return (
    <Base.Provider toastManager={manager}>
      <Base.Portal>
        <Base.Viewport
          aria-label="Avisos"
          className="fixed z-50 right-4 bottom-[calc(1rem+var(--page-foot))] max-md:top-[calc(0.75rem+env(safe-area-inset-top))] max-md:bottom-auto w-[calc(100vw-2rem)] max-w-90 outline-none"
        >
          <ToastList />
        </Base.Viewport>
      </Base.Portal>
    </Base.Provider>
  );
}

function ToastList() {
  const { toasts } = Base.useToastManager<ToastData>();
  return toasts.map((toast) => (
    <Base.Root
      key={toast.id}
      toast={toast}
      swipeDirection={['right', 'up', 'down']}
      className={rootClassName}
    >
      <Base.Content className="flex items-start gap-2 overflow-hidden py-2.5 pr-2 pl-3.5 transition-opacity data-behind:opacity-0 data-expanded:opacity-100">
        <span className="mt-1.5 mr-1 shrink-0 [&_svg]:size-4">{icons[toast.type ?? 'info']}</span>
        <div className="flex min-w-0 flex-1 flex-col gap-0.5 py-1">
          <Base.Title className="text-base font-medium" />
          <Base.Description className="text-sm text-ink-soft" />
        </div>
        {toast.data?.next ? (
          <button type="button" className={buttonClassName} onClick={toast.data.next.press}>
            {toast.data.next.label}
          </button>
        ) : null}
        <Base.Action className={buttonClassName} />
        <Base.Close
          aria-label="Fechar aviso"
          className="grid size-8 shrink-0 place-items-center rounded-sm text-ink-faint hover:bg-hover hover:text-ink pointer-coarse:-my-2 pointer-coarse:h-11 pointer-coarse:w-11 [&_svg]:size-3.5"
        >
          <X aria-hidden />
        </Base.Close>
      </Base.Content>
    </Base.Root>
  ));
}
