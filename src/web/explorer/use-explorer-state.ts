// What defines a list, all of it in the address: condition, words to search for, range.
import { useMemo } from "react";
import { useAddress, useTimeRange } from "../lib/address.ts";
import type { TimeRange } from "../lib/time-range.ts";

export interface ExplorerState {
  readonly condition: string;
  readonly setCondition: (condition: string) => void;
  /** Words that inputs, outputs or error messages contain. */
  readonly search: string;
  readonly setSearch: (search: string) => void;
  /** Neither condition nor words. */
  readonly clear: () => void;
  readonly range: TimeRange;
  readonly setRange: (range: TimeRange) => void;
}

export function useExplorerState(): ExplorerState {
  const { parameters, set } = useAddress();
  const [range, setRange] = useTimeRange();
  const condition = parameters.get("filter") ?? "";
  const search = parameters.get("search") ?? "";
  return useMemo(
    () => ({
      condition,
      search,
      setCondition: (next) => set({ filter: next }),
      setSearch: (next) => set({ search: next }),
      clear: () => set({ filter: null, search: null }),
      range,
      setRange,
    }),
    [condition, search, set, range, setRange],
  );
}
