import type { Settings } from './kernel/settings.ts';

/**
 * The groups of settings that are given but that nothing uses yet, by the beginning of their names. Whoever sets an object store
 * must not believe that anything is kept there.
 */
export function listIdleSettings(settings: Pick<Settings, 's3'>): string[] {
  const groups = { S3_: settings.s3 };
  return Object.entries(groups).flatMap(([prefix, group]) => (group === undefined ? [] : [`${prefix}*`]));
}
