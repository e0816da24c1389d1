import type { RunningServer } from './start-server.ts';

export type ServerMetrics = {
  readonly residentBytes: number;
  readonly heapBytes: number;
  /** Processor time since the start. */
  readonly cpuSeconds: number;
};

/** What the server says of itself at `/metrics`. */
export async function readMetrics({ url }: Pick<RunningServer, 'url'>): Promise<ServerMetrics> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const read = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
  return {
    residentBytes: read('process_resident_memory_bytes'),
    heapBytes: read('process_heap_used_bytes'),
    cpuSeconds: read('process_cpu_seconds'),
  };
}
