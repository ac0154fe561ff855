// The address is the state: filter, range, sort, open item and tab are read from it and written to it.
import { useCallback, useMemo } from "react";
import { useLocation, useSearch } from "wouter";
import { type Preset, rangeParameters, readRange, type TimeRange } from "./time-range.ts";

type Changes = Readonly<Record<string, string | readonly string[] | null>>;

export interface Address {
  /** The parameters of now. */
  readonly parameters: URLSearchParams;
  get(name: string): string | null;
  /** Null takes a parameter out, a list gives it once for each. Typing and dragging replace the entry of the history, choices push a new one. */
  set(changes: Changes, how?: "push" | "replace"): void;
}

export function useAddress(): Address {
  const search = useSearch();
  const [path, navigate] = useLocation();
  const parameters = useMemo(() => new URLSearchParams(search), [search]);
  const set = useCallback(
    (changes: Changes, how: "push" | "replace" = "push") => {
      // From the location itself: two changes may come before the page is drawn again.
      const next = new URLSearchParams(location.search);
      for (const [name, value] of Object.entries(changes)) {
        next.delete(name);
        for (const each of typeof value === "string" ? [value] : (value ?? [])) {
          if (each !== "") next.append(name, each);
        }
      }
      const text = next.toString();
      navigate(text === "" ? path : `${path}?${text}`, { replace: how === "replace" });
    },
    [navigate, path],
  );
  return useMemo(() => ({ parameters, get: (name) => parameters.get(name), set }), [parameters, set]);
}

export interface Sort<Key extends string = string> {
  readonly key: Key;
  readonly direction: "asc" | "desc";
}

/** `?sort=-latency`: a minus means descending. Unknown keys count as absent. */
export function useSort<Key extends string>(
  keys: readonly Key[],
  fallback: Sort<Key>,
): [Sort<Key>, (sort: Sort<Key>) => void] {
  const { parameters, set } = useAddress();
  const text = parameters.get("sort") ?? "";
  const key = keys.find((each) => each === text.replace(/^-/, ""));
  const sort: Sort<Key> = key === undefined ? fallback : { key, direction: text.startsWith("-") ? "desc" : "asc" };
  const change = ({ key: chosen, direction }: Sort<Key>) =>
    set({
      sort:
        chosen === fallback.key && direction === fallback.direction
          ? null
          : `${direction === "desc" ? "-" : ""}${chosen}`,
    });
  return [sort, change];
}

export function useTimeRange(fallback?: Preset): [TimeRange, (range: TimeRange) => void] {
  const { parameters, set } = useAddress();
  const range = useMemo(() => readRange(parameters, fallback), [parameters, fallback]);
  return [range, (next) => set(rangeParameters(next, fallback))];
}
