import type { Settings } from './kernel/settings.ts';

/**
 * The groups of settings that are given but that nothing uses yet, by the beginning of their names. Whoever sets a captcha
 * must not believe that it protects anything.
 */
export function listIdleSettings(settings: Pick<Settings, 'google' | 'captcha' | 's3'>): string[] {
  const groups = {
    GOOGLE_: settings.google,
    CAPTCHA_: settings.captcha,
    S3_: settings.s3,
  };
  return Object.entries(groups).flatMap(([prefix, group]) => (group === undefined ? [] : [`${prefix}*`]));
}
