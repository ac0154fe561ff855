// What the trace does again without getting further, in a line below its head: what it wasted, and the way to the spans.
import { Repeat } from "lucide-react";
import { useEffect, useMemo } from "react";
import type { TraceTree } from "../../../../domain/trace/tree.ts";
import { type FoundWaste, noWaste, type WasteMarks, wasteMarksOf } from "../../../../domain/trace/waste-marks.ts";
import { useGraphql } from "../../../../lib/queries.ts";
import { text } from "../../../../texts/texts.ts";
import { traceWaste } from "./analysis.queries.ts";
import { spentWords } from "./spent-words.ts";
import styles from "./WasteLine.module.css";

/** More are counted. */
const MOST_SHOWN = 3;

interface WasteLineProps {
  /** Global id. */
  readonly traceId: string;
  readonly tree: TraceTree;
  readonly onFound: (marks: WasteMarks) => void;
  readonly onSelect: (key: string) => void;
}

export default function WasteLine({ traceId, tree, onFound, onSelect }: WasteLineProps) {
  const { data } = useGraphql(traceWaste, { id: traceId });
  const waste = data?.node?.__typename === "Trace" ? data.node.waste : null;
  const marks = useMemo(() => (waste == null ? noWaste : wasteMarksOf(tree, waste.found)), [tree, waste]);
  useEffect(() => onFound(marks), [marks, onFound]);
  if (waste == null || waste.found.length === 0) return null;
  const names = new Map(
    [...tree.byKey.values()].flatMap(({ span }) => (span === null ? [] : [[span.id, span] as const])),
  );
  const wordsOf = ({ kind, times, spanNodeIds }: FoundWaste) =>
    text(`trace.waste.${kind}`, { name: names.get(spanNodeIds[0]!)?.shownName ?? "", count: times });
  return (
    <div role="status" className={styles.line}>
      <Repeat aria-hidden="true" />
      {waste.found.slice(0, MOST_SHOWN).map((each) => (
        <button
          key={each.spanNodeIds[0]!}
          type="button"
          className={styles.found}
          onClick={() => {
            // The first that does again what was done.
            const span = names.get(each.spanNodeIds.at(-1)!);
            if (span !== undefined) onSelect(span.spanKey);
          }}
        >
          {wordsOf(each)}
        </button>
      ))}
      {waste.found.length > MOST_SHOWN && (
        <span>{text("trace.waste.more", { count: waste.found.length - MOST_SHOWN })}</span>
      )}
      <span>{text("trace.waste.wasted", { spent: spentWords(waste.wasted) })}</span>
    </div>
  );
}
