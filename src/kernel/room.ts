// Room for bytes that wait: what is held in memory at once is bounded for all senders together.

interface Rooms {
  /** Fails when there is no room at all. */
  requireSome(): void;
  /** Bytes that all holders have taken. */
  takenBytes(): number;
  /** Room for one holder; takes nothing yet. Fails at once when `announced` bytes would not fit now. */
  open(announced: number): Room;
}

export interface Room {
  /** Fails when so many bytes more would not fit now; takes nothing. */
  announce(bytes: number): void;
  /** Takes so many bytes more. Fails, and takes nothing, when all would be more than the most; a lone holder always fits, so
   *  that nothing is refused for ever. */
  take(bytes: number): void;
  /** Gives everything back; a second time does nothing. */
  release(): void;
}

/** Room for `most` bytes in all; `full` makes the failure. */
export function createRooms(most: number, full: () => Error): Rooms {
  let taken = 0;
  const requireFit = (own: number, more: number) => {
    if (taken > own && taken + more > most) throw full();
  };
  return {
    requireSome() {
      if (taken >= most) throw full();
    },
    takenBytes: () => taken,
    open(announced) {
      requireFit(0, announced);
      let own = 0;
      let isOpen = true;
      return {
        announce: (bytes) => requireFit(own, bytes),
        take(bytes) {
          if (!isOpen) return;
          requireFit(own, bytes);
          own += bytes;
          taken += bytes;
        },
        release() {
          taken -= own;
          own = 0;
          isOpen = false;
        },
      };
    },
  };
}
