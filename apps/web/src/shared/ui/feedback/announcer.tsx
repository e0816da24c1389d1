import { useEffect, useState } from 'react';
import { connectAnnouncer } from '../../lib/browser/announce.ts';

interface Message {
  readonly id: number;
  readonly text: string;
}

/** How long a message stays for a screen reader that comes late, milliseconds. */
const KEPT_MS = 5000;

/**
 * The page's one polite live region, for `announce`. Each message is a paragraph of its own: a text that is said twice is
 * read twice, and two that come together are both read.
 */
export function Announcer() {
  const [messages, setMessages] = useState<readonly Message[]>([]);
  useEffect(() => {
    const timers = new Set<number>();
    const disconnect = connectAnnouncer((text) => {
      const id = timers.size;
      setMessages((before) => [...before, { id, text }]);
      timers.add(
        window.setTimeout(() => setMessages((before) => before.filter((each) => each.id !== id)), KEPT_MS),
      );
    });
    return () => {
      disconnect();
      for (const timer of timers) window.clearTimeout(timer);
    };
  }, []);
  return (
    <div aria-live="polite" aria-relevant="additions" className="sr-only">
      {messages.map(({ id, text }) => (
        <p key={id}>{text}</p>
      ))}
    </div>
  );
}
