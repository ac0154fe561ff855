// How long a group commit is delayed so that more requests share it. Senders that wait for their answers come in step with the commits:
// without a delay two groups of them alternate, and each commit carries half of what it could.

interface GroupCommitDelayOptions {
  /** Maximum delay in milliseconds. */
  readonly mostMs: number;
  /** A batch of so many items is not delayed. */
  readonly enoughItems: number;
}

export interface Waiting {
  readonly submissions: number;
  readonly items: number;
}

interface GroupCommitDelay {
  /** Resolves when the next batch should be taken. One that comes alone, after others that came alone, waits for nothing. */
  gather(waiting: () => Waiting): Promise<void>;
  /** Tells of a commit: how many submissions it carried and how long it took. */
  committed(submissions: number, milliseconds: number): void;
}

/** The delay is at most this share of what the last commit took. */
const SHARE_OF_COMMIT = 0.5;
const STEP_MS = 1;

export function createGroupCommitDelay({ mostMs, enoughItems }: GroupCommitDelayOptions): GroupCommitDelay {
  let last = 0;
  let beforeLast = 0;
  let delayMs = 0;
  return {
    async gather(waiting) {
      // A commit may not give the thread back: let the answers go out, and those in that arrived meanwhile.
      await turn();
      await turn();
      if (last < 2 && waiting().submissions < 2) return;
      const until = performance.now() + delayMs;
      const isEnough = () => {
        const { submissions, items } = waiting();
        return items >= enoughItems || submissions >= last + beforeLast;
      };
      while (!isEnough() && performance.now() < until) await Bun.sleep(STEP_MS);
    },
    committed(submissions, milliseconds) {
      beforeLast = last;
      last = submissions;
      delayMs = Math.min(mostMs, milliseconds * SHARE_OF_COMMIT);
    },
  };
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
