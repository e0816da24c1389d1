import type { AuthRequest } from './auth-context.ts';
import type { Device } from './stores/open-session.ts';

export function deviceOf({ ip, headers }: AuthRequest): Device {
  return { ip, userAgent: headers['user-agent'] };
}
