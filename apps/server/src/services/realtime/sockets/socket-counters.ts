/** Plain numbers, counted on the way and read when somebody asks for the metrics. */
export type SocketCounters = {
  messagesSent: number;
  messagesReceived: number;
  malformed: number;
  refusedHandshakes: number;
  readonly cutOff: Record<'backlog' | 'stall' | 'silence' | 'crowd', number>;
};

export function createSocketCounters(): SocketCounters {
  return {
    messagesSent: 0,
    messagesReceived: 0,
    malformed: 0,
    refusedHandshakes: 0,
    cutOff: { backlog: 0, stall: 0, silence: 0, crowd: 0 },
  };
}
