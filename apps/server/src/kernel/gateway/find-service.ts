const SERVICES = ['auth', 'rest', 'realtime', 'storage', 'functions'] as const;

export type ServiceName = (typeof SERVICES)[number];

const PREFIX = new RegExp(`^/(${SERVICES.join('|')})/v1(?:[/?]|$)`);

/** The service a path belongs to; undefined for the web app and the server's own pages. */
export function findService(url: string): ServiceName | undefined {
  return PREFIX.exec(url)?.[1] as ServiceName | undefined;
}
