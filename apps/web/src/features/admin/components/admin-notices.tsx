import { DELAY_MS } from '@linkoteca/domain/limits';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { createContext, use, useCallback, useEffect, useRef, useState } from 'react';
import { Notice } from '../../../shared/ui/feedback/notice.tsx';
import { IconButton } from '../../../shared/ui/icon-button.tsx';

type Tone = 'info' | 'success' | 'danger';

interface Shown {
  readonly tone: Tone;
  readonly text: string;
}

type Show = (tone: Tone, text: string) => void;

const NoticeContext = createContext<Show>(() => undefined);

/** Shows a notice above the page; another takes its place. */
export function useAdminNotice(): Show {
  return use(NoticeContext);
}

/** The admin area's notices: one at a time, gone after 5 s or when closed (specification, sections 4 and 9). */
export function AdminNotices({ children }: { readonly children: ReactNode }) {
  const [notice, setNotice] = useState<Shown | null>(null);
  const timer = useRef(0);
  const close = useCallback(() => setNotice(null), []);
  const show = useCallback<Show>((tone, text) => {
    window.clearTimeout(timer.current);
    setNotice({ tone, text });
    timer.current = window.setTimeout(() => setNotice(null), DELAY_MS.adminNotice);
  }, []);
  useEffect(() => () => window.clearTimeout(timer.current), []);

  return (
    <NoticeContext value={show}>
      {notice ? (
        <div className="admin-notice">
          <Notice
            tone={notice.tone}
            action={
              <IconButton label="Fechar aviso" size="small" onClick={close}>
                <X aria-hidden />
              </IconButton>
            }
          >
            {notice.text}
          </Notice>
        </div>
      ) : null}
      {children}
    </NoticeContext>
  );
}
