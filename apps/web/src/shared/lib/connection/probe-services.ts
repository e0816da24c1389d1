import type { AppConfig } from '../load-app-config.ts';

/** Longer than this is as good as silence. */
const PATIENCE_MS = 5_000;

/** Asks the services for a sign of life. A proxy that answers for a server that is away does not count. */
export async function probeServices({ supabaseUrl, supabaseAnonKey }: AppConfig): Promise<boolean> {
  try {
    const { status } = await fetch(`${supabaseUrl}/auth/v1/health`, {
      headers: { apikey: supabaseAnonKey },
      cache: 'no-store',
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    return status < 500;
  } catch {
    return false;
  }
}
