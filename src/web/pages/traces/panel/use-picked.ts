// Choosing a span by hand: in a narrow panel its details come in a sheet, which covers the rows until it is closed.
import { useCallback, useMemo, useRef, useState } from "react";
import { failedSpans } from "../../../domain/trace/failures.ts";
import type { TraceTree } from "../../../domain/trace/tree.ts";
import { useAddress } from "../../../lib/address.ts";
import { SELECTED } from "./panel-address.ts";
import type { SpanList } from "./use-spans.ts";

export function usePicked(spans: SpanList, tree: TraceTree, stacked: boolean) {
  // An address that names a span shows its details.
  const named = useAddress().get(SELECTED) !== null;
  const [sheet, setSheet] = useState(named);
  const shownLast = useRef<string | null>(null);
  const show = useCallback(
    (key: string) => {
      spans.select(key);
      shownLast.current = key;
    },
    [spans.select],
  );
  const pick = useCallback(
    (key: string) => {
      show(key);
      // A row of many opens in its place.
      setSheet(tree.byKey.has(key));
    },
    [show, tree],
  );
  const failed = useMemo(() => failedSpans(tree).map(({ key }) => key), [tree]);
  const nextError = useCallback(() => {
    if (failed.length === 0) return;
    const at = failed.indexOf(spans.selected?.key ?? "");
    // The one that the trace opened with has not been seen while the sheet was closed.
    const step = at >= 0 && stacked && !sheet ? 0 : 1;
    spans.showAll();
    pick(failed[(at + step) % failed.length]!);
  }, [failed, spans, pick, stacked, sheet]);
  return {
    sheet,
    /** Chooses a span, and leaves the sheet as it is. */
    show,
    /** Chooses a span and shows its details. */
    pick,
    nextError,
    openSheet: () => setSheet(true),
    closeSheet() {
      setSheet(false);
      // The back button leads to the address that the sheet was opened with; what it showed last stays chosen.
      if (shownLast.current !== null) spans.select(shownLast.current);
    },
  };
}
