import { useEffect, useState } from 'react';
import { type Connection, readConnection, watchConnection } from '../session/session-store.ts';

/** The connection, and anew whenever it changes; undefined until it has been read. */
export function useConnection(): Connection | null | undefined {
  const [connection, setConnection] = useState<Connection | null>();
  useEffect(() => {
    const read = () => void readConnection().then(setConnection);
    read();
    return watchConnection(read);
  }, []);
  return connection;
}
