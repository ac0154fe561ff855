// What of the tree is shown, and which span is selected. Selection, search and filters are in the address; what was folded by
// hand is not.
import { useCallback, useDeferredValue, useMemo, useState } from "react";
import { firstFailure } from "../../../domain/trace/failures.ts";
import { countWrappers, isKeySpan, shownSpansOf } from "../../../domain/trace/fold.ts";
import { kindLooks } from "../../../domain/trace/kinds.ts";
import { type Row, rowsOf } from "../../../domain/trace/rows.ts";
import type { Repeats } from "../../../domain/trace/shown-span.ts";
import type { SpanKind } from "../../../domain/trace/trace-span.ts";
import type { TraceTree, TreeNode } from "../../../domain/trace/tree.ts";
import { useAddress } from "../../../lib/address.ts";
import { FIND, KINDS, SELECTED, WRAPPERS } from "./panel-address.ts";
import type { TraceFigures } from "./trace-state.ts";
import { type Search, useSearch } from "./use-search.ts";

export interface SpanList {
  readonly rows: readonly Row[];
  /** Spans that the filters ask for. */
  readonly shown: number;
  readonly wrappers: number;
  readonly keyOnly: boolean;
  readonly setKeyOnly: (keyOnly: boolean) => void;
  readonly kinds: ReadonlySet<SpanKind> | null;
  readonly setKinds: (kinds: ReadonlySet<SpanKind> | null) => void;
  readonly words: string;
  readonly setWords: (words: string) => void;
  readonly search: Search;
  /** Rows that the search found, from top to bottom. */
  readonly hits: readonly Row[];
  readonly selected: TreeNode | null;
  /** Repeated spans as one, where that row was chosen last; the selected span stays what it is. */
  readonly repeats: Repeats | null;
  /** Key of the row that keys act on. */
  readonly active: string | null;
  /** The selected span has not been loaded yet. */
  readonly pending: boolean;
  readonly select: (key: string) => void;
  readonly toggle: (key: string) => void;
  /** Takes away search and kinds. */
  readonly showAll: () => void;
}

/** `complete`: every page of the trace is there, or as many as there will be. */
export function useSpans(tree: TraceTree, trace: TraceFigures, complete: boolean): SpanList {
  const { get, set } = useAddress();
  const [turned, setTurned] = useState<ReadonlySet<string>>(new Set());
  const [chosenRepeats, setChosenRepeats] = useState<string | null>(null);
  const [missing, setMissing] = useState<string | null>(null);
  const words = get(FIND) ?? "";
  const kindsText = get(KINDS) ?? "";
  const kinds = useMemo(() => readKinds(kindsText), [kindsText]);
  // The rows of a large trace follow what is typed, they do not hold it up.
  const search = useSearch(tree, trace.id, useDeferredValue(words));

  const selectedId = get(SELECTED);
  const byId = useMemo(() => {
    const found = new Map<string, TreeNode>();
    for (const node of tree.byKey.values()) if (node.span !== null) found.set(node.span.id, node);
    return found;
  }, [tree]);
  // What was shown first stays, also when a root comes later: what failed first, else the root.
  const [first, setFirst] = useState<string | null>(null);
  if (first === null && complete && tree.representative !== null)
    setFirst((firstFailure(tree) ?? tree.representative).key);
  const chosen =
    (missing === null ? undefined : tree.byKey.get(missing)) ??
    (selectedId === null ? undefined : (byId.get(selectedId) ?? tree.byKey.get(selectedId))) ??
    null;
  // A span that is named in the address may be on a page that is still to come, and so may the one that failed first.
  const pending = chosen === null && !complete && (selectedId !== null || trace.errorCount > 0);
  const selected = pending ? null : (chosen ?? (first === null ? null : tree.byKey.get(first)) ?? tree.representative);

  const wrappers = useMemo(() => countWrappers(tree), [tree]);
  // Where nothing but the top would be left, there is no shape to see without the wrappers.
  const foldable = wrappers > 0 && tree.spanCount - wrappers > tree.roots.length;
  const keyOnly = foldable && get(WRAPPERS) !== "all";
  const shownWrapper = selected === null || isKeySpan(selected) ? null : selected.key;
  const spans = useMemo(
    () => shownSpansOf(tree, { keyOnly, kinds, found: search.found, selected: shownWrapper }),
    [tree, keyOnly, kinds, search.found, shownWrapper],
  );
  const rows = useMemo(() => rowsOf(spans.top, turned, selected), [spans, turned, selected]);
  const hits = useMemo(
    () => (search.found === null ? [] : rows.filter((row) => !row.context && row.node.span !== null)),
    [rows, search.found],
  );
  const repeats =
    chosenRepeats === null ? null : (rows.find(({ node }) => node.key === chosenRepeats)?.repeats ?? null);

  const select = useCallback(
    (key: string) => {
      const node = tree.byKey.get(key);
      setChosenRepeats(node === undefined ? key : null);
      if (node === undefined) return;
      // One that was not received has no id for the address.
      setMissing(node.span === null ? key : null);
      if (node.span !== null) set({ [SELECTED]: node.span.id }, "replace");
    },
    [tree, set],
  );
  const toggle = useCallback((key: string) => {
    setTurned((before) => {
      const after = new Set(before);
      if (!after.delete(key)) after.add(key);
      return after;
    });
  }, []);

  return {
    rows,
    shown: spans.shown,
    wrappers: foldable ? wrappers : 0,
    keyOnly,
    setKeyOnly: (next) => set({ [WRAPPERS]: next ? null : "all" }, "replace"),
    kinds,
    setKinds: (next) => set({ [KINDS]: next === null ? null : [...next].join(",").toLowerCase() }, "replace"),
    words,
    setWords: (next) => set({ [FIND]: next }, "replace"),
    search,
    hits,
    selected,
    repeats,
    active: repeats === null ? (selected?.key ?? null) : chosenRepeats,
    pending,
    select,
    toggle,
    showAll: () => set({ [FIND]: null, [KINDS]: null }, "replace"),
  };
}

function readKinds(text: string): ReadonlySet<SpanKind> | null {
  const words = text.toUpperCase().split(",");
  const kinds = words.filter((word): word is SpanKind => Object.hasOwn(kindLooks, word));
  return kinds.length === 0 ? null : new Set(kinds);
}
