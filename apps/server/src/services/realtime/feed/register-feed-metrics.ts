import { Counter, Gauge, type Registry } from 'prom-client';
import type { FeedFigures } from './change-feed.ts';

/** Shows how the change feed fares at `/metrics`. Measured when somebody looks. */
export function registerFeedMetrics(registry: Registry, figures: () => FeedFigures): void {
  const gauge = (name: string, help: string, measure: (now: FeedFigures) => number) =>
    new Gauge({
      name: `linkoteca_realtime_feed_${name}`,
      help,
      registers: [registry],
      collect() {
        this.set(measure(figures()));
      },
    });
  const counter = (name: string, help: string, count: (now: FeedFigures) => number) =>
    new Counter({
      name: `linkoteca_realtime_feed_${name}_total`,
      help,
      registers: [registry],
      collect() {
        this.reset();
        this.inc(count(figures()));
      },
    });

  gauge('live', 'Whether changes of the database are heard (1) or not (0).', ({ live }) => (live ? 1 : 0));
  gauge('lag_seconds', 'From the last commit heard until it was heard.', ({ lagMs }) => lagMs / 1000);
  gauge('lag_bytes', 'Log written and not yet read, as last looked at.', ({ lagBytes }) => lagBytes);
  counter('commits', 'Transactions heard.', ({ commits }) => commits);
  counter('changes', 'Changes of rows heard.', ({ changes }) => changes);
  counter('messages', 'Messages of other copies heard.', ({ messages }) => messages);
  counter('gaps', 'Times that changes may have been missed.', ({ gaps }) => gaps);
  counter('connections', 'Connections to the log.', ({ connections }) => connections);
}
