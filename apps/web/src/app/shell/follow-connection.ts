import { onlineManager } from '@tanstack/react-query';
import type { Connection } from '../../shared/lib/connection/create-connection.ts';

/** Lets reads wait while the services cannot be reached, instead of what the browser calls being offline. */
export function followConnection(connection: Connection): void {
  onlineManager.setEventListener((setOnline) => {
    const follow = () => setOnline(connection.isOnline());
    follow();
    return connection.subscribe(follow);
  });
}
