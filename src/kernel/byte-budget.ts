// A budget of bytes that are held in memory at once, shared by all senders.

interface ByteBudget {
  /** Fails when the budget is used up. */
  requireSome(): void;
  /** Bytes that all holders have taken. */
  takenBytes(): number;
  /** A reservation for one holder; takes nothing yet. Fails at once when `announced` bytes would not fit now. */
  open(announced: number): ByteReservation;
}

export interface ByteReservation {
  /** Fails when so many bytes more would not fit now; takes nothing. */
  announce(bytes: number): void;
  /** Takes so many bytes more. Fails, and takes nothing, when all would be more than the most; a lone holder always fits, so
   *  that nothing is refused for ever. */
  take(bytes: number): void;
  /** Gives everything back; a second time does nothing. */
  release(): void;
}

/** A budget of `most` bytes in all; `full` makes the failure. */
export function createByteBudget(most: number, full: () => Error): ByteBudget {
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
