export type CrowdWatch = {
  /** To be told now and then how many sockets are open. */
  see(sockets: number): void;
};

/** Fewer than these leave nothing behind that is worth a pause. */
const CROWD = 200;
/** So much of the crowd may still be there when it counts as gone. */
const REMAINING_SHARE = 0.1;

/**
 * Calls `giveBack` once when a crowd has gone and nobody comes back between two looks: left alone, the engine keeps for hours what
 * thousands of sockets have used, because nothing asks it for memory any more.
 */
export function watchCrowd(giveBack: () => void): CrowdWatch {
  let most = 0;
  let isLeaving = false;
  return {
    see(sockets) {
      most = Math.max(most, sockets);
      const isGone = most >= CROWD && sockets <= most * REMAINING_SHARE;
      if (isGone && isLeaving) {
        most = sockets;
        giveBack();
      }
      isLeaving = isGone && !isLeaving;
    },
  };
}
