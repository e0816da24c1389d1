import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** A folder that every user may pass through, and its removal. */
export function createTemporaryFolder(): { readonly path: string; remove(): void } {
  // Short on purpose: the system's own folder for such things may be too deep for a socket.
  const path = mkdtempSync(join('/tmp', 'lk-pg-'));
  chmodSync(path, 0o755);
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
