// The two traces in a line each, what the second has more, and the way to look from the other side.
import { ArrowLeftRight } from "lucide-react";
import { Link, useLocation } from "wouter";
import { KindGlyph } from "../../../domain/trace/KindGlyph.tsx";
import type { SpanKind } from "../../../domain/trace/trace-span.ts";
import { Button } from "../../../kit/Button.tsx";
import { Badge } from "../../../kit/States.tsx";
import { Time } from "../../../kit/Time.tsx";
import { formatCompact, formatCost, formatDuration } from "../../../lib/format.ts";
import { linkTo } from "../../../lib/links.ts";
import { text as pageText, textsOf } from "../../../texts/texts.ts";
import { linkToComparison } from "../comparison-link.ts";
import styles from "./ComparedSides.module.css";
import type { ComparedTrace, TraceComparison } from "./comparison.queries.ts";
import { comparisonTexts } from "./trace-comparison.late-texts.ts";

const text = textsOf(comparisonTexts);

export const sideNames = ["A", "B"] as const;

export function ComparedSides({ comparison: { first, second } }: { readonly comparison: TraceComparison }) {
  const [, navigate] = useLocation();
  return (
    <div className={styles.sides}>
      <Side name={sideNames[0]} trace={first} />
      <Side name={sideNames[1]} trace={second} />
      <Button
        look="quiet"
        icon={<ArrowLeftRight />}
        onClick={() => navigate(linkToComparison(second.project.id, second.id, first.id))}
      >
        {text("traces.compare.swap")}
      </Button>
    </div>
  );
}

function Side({ name, trace }: { readonly name: string; readonly trace: ComparedTrace }) {
  const { project, rootSpan, traceId, startTime, latencyMs, errorCount, tokenCountTotal, costTotal } = trace;
  return (
    <section className={styles.side} aria-label={text("traces.compare.side", { name })}>
      <b className={styles.letter}>{name}</b>
      {rootSpan != null && <KindGlyph kind={rootSpan.spanKind.toUpperCase() as SpanKind} />}
      <Link href={linkTo("trace", { projectId: project.id, traceId })} className={styles.name}>
        <bdi>{rootSpan?.shownName ?? traceId}</bdi>
      </Link>
      {errorCount > 0 && <Badge tone="error">{pageText("trace.errors", { count: errorCount })}</Badge>}
      <span>{formatDuration(latencyMs)}</span>
      {tokenCountTotal > 0 && <span>{pageText("trace.waste.tokens", { tokens: formatCompact(tokenCountTotal) })}</span>}
      {costTotal !== null && <span>{formatCost(costTotal)}</span>}
      <span className={styles.time}>
        <Time at={startTime} />
      </span>
    </section>
  );
}
