import { CAPTCHA_MESSAGES } from '@linkoteca/domain/captcha-messages';
import type { RefObject } from 'react';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { log } from '../log.ts';
import type { CaptchaWidget } from './captcha-widget.ts';
import { type CaptchaProvider, loadCaptchaScript } from './load-captcha-script.ts';
import { openCaptchaWidget } from './open-captcha-widget.ts';

interface CaptchaFieldProps {
  readonly provider: CaptchaProvider;
  readonly siteKey: string;
  /** Where whoever sends the form finds the widget. */
  readonly widget: RefObject<CaptchaWidget | null>;
}

/** hCaptcha's box, the higher one. The page must not jump when it comes. */
const HEIGHT_PX = 78;

/** The provider's widget, or why it is not there. */
export function CaptchaField({ provider, siteKey, widget }: CaptchaFieldProps) {
  const place = useRef<HTMLDivElement>(null);
  const [failed, setFailed] = useState(false);
  const [attempt, setAttempt] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt opens another widget
  useEffect(() => {
    let close: (() => void) | undefined;
    let over = false;
    setFailed(false);
    loadCaptchaScript(provider)
      .then((api) => {
        if (over || !place.current) return;
        const opened = openCaptchaWidget(api, {
          provider,
          siteKey,
          place: place.current,
          onFailed: () => setFailed(true),
        });
        widget.current = opened;
        close = opened.close;
      })
      .catch((reason: unknown) => {
        log.warn('the captcha could not be opened', reason);
        if (!over) setFailed(true);
      });
    return () => {
      over = true;
      widget.current = null;
      close?.();
    };
  }, [provider, siteKey, widget, attempt]);

  return (
    <div style={{ minHeight: HEIGHT_PX }}>
      <div ref={place} />
      {failed ? (
        <Notice
          tone="danger"
          action={
            <Button size="small" onClick={() => setAttempt(attempt + 1)}>
              Tentar de novo
            </Button>
          }
        >
          {CAPTCHA_MESSAGES.unavailable}
        </Notice>
      ) : null}
    </div>
  );
}
