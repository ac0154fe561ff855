// Time is a parameter: modules ask a clock, tests hand them one that does not move.

export interface Clock {
  /** Microseconds UTC. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() * 1000 };
