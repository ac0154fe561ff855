// What stores read without settling it before: for tests whose data has no pending sums.
import type { Settled } from "../../src/filter/settled.ts";

export const settled = <Reader>(reader: Reader) => reader as Settled<Reader>;
