// Pauses between attempts to connect: a database that comes back, or one server of many that lost it together, must not be
// met by all of them at once and without end.
import { randomInt } from "node:crypto";

const FIRST_MILLISECONDS = 50;
/** Short enough that the service is back within a second of its database. */
const LONGEST_MILLISECONDS = 400;
/** Without a failure for this long the next one is the first again. */
const CALM_MILLISECONDS = 5000;

interface BackOff {
  /** True until the pause after a failure is over. */
  readonly isPausing: boolean;
  /** True when nothing has failed for a while: then there is no need to go one by one. */
  readonly isCalm: boolean;
  /** Begins a pause, twice as long as the one before, less up to half of it by chance; one that has begun goes on. */
  failed(): void;
  end(): void;
}

const CHANCES = 2 ** 20;
const byChance = () => randomInt(CHANCES) / CHANCES;

/** `resume` is called at the end of every pause; `chance` gives numbers from 0 to below 1. */
export function createBackOff(resume: () => void, chance: () => number = byChance): BackOff {
  let failures = 0;
  let lastFailure = -Infinity;
  let timer: ReturnType<typeof setTimeout> | null = null;

  const isCalm = () => performance.now() - lastFailure > CALM_MILLISECONDS;

  function pause(): number {
    const longest = Math.min(LONGEST_MILLISECONDS, FIRST_MILLISECONDS * 2 ** Math.min(failures, 10));
    return longest * (1 - chance() / 2);
  }

  return {
    get isPausing() {
      return timer !== null;
    },
    get isCalm() {
      return isCalm();
    },
    failed() {
      if (timer !== null) return;
      if (isCalm()) failures = 0;
      lastFailure = performance.now();
      timer = setTimeout(() => {
        timer = null;
        resume();
      }, pause());
      failures++;
    },
    end() {
      if (timer !== null) clearTimeout(timer);
      timer = null;
    },
  };
}
