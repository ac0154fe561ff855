// Which rows are selected, with ranges by shift.
import { useRef } from "react";

export interface Selection {
  isSelected(key: string): boolean;
  /** From the row chosen before to this one with `range`. */
  toggle(index: number, range?: boolean): void;
  readonly all: boolean;
  readonly some: boolean;
  selectAll(selected: boolean): void;
}

const nothing: ReadonlySet<string> = new Set();

export function useSelection<Row>(
  rows: readonly Row[] | undefined,
  keyOf: (row: Row) => string,
  selected: ReadonlySet<string> = nothing,
  onSelect?: (selected: ReadonlySet<string>) => void,
): Selection {
  const anchor = useRef(-1);
  const keys = (rows ?? []).map(keyOf);
  return {
    isSelected: (key) => selected.has(key),
    toggle(index, range = false) {
      const key = keys[index];
      if (key === undefined) return;
      const next = new Set(selected);
      const on = !selected.has(key);
      const from = range && anchor.current >= 0 ? anchor.current : index;
      for (const each of keys.slice(Math.min(from, index), Math.max(from, index) + 1)) {
        if (on) next.add(each);
        else next.delete(each);
      }
      anchor.current = index;
      onSelect?.(next);
    },
    all: keys.length > 0 && keys.every((key) => selected.has(key)),
    some: keys.some((key) => selected.has(key)),
    selectAll: (on) => onSelect?.(new Set(on ? keys : [])),
  };
}
