// The ghost of a trace while the first one is awaited; with its arrival it becomes the real one, in one fade.
import { useContext, useEffect, useRef } from "react";
import { useLocation } from "wouter";
import { KindGlyph } from "../../domain/trace/KindGlyph.tsx";
import { kindOf } from "../../domain/trace/kind-of.ts";
import { Button } from "../../kit/Button.tsx";
import { classes } from "../../kit/classes.ts";
import { formatDuration } from "../../lib/format.ts";
import type { ResultOf } from "../../lib/graphql.ts";
import { linkTo } from "../../lib/links.ts";
import { useGraphql } from "../../lib/queries.ts";
import { text } from "../../texts/texts.ts";
import styles from "./FirstTrace.module.css";
import { firstSpans, newestTrace } from "./first-trace.queries.ts";
import { EndOnboarding } from "./use-newcomer.ts";

const AT_MOST = 12;

interface FirstTraceProps {
  readonly projectId: string;
  readonly arrived: boolean;
}

export function FirstTrace({ projectId, arrived }: FirstTraceProps) {
  const [, navigate] = useLocation();
  const end = useContext(EndOnboarding);
  const found = useGraphql(newestTrace, arrived ? { id: projectId } : null);
  const node = found.data?.node.__typename === "Project" ? found.data.node.traces.edges[0]?.node : undefined;
  const asked = useGraphql(firstSpans, node === undefined ? null : { trace: node.id, first: AT_MOST });
  const trace = asked.data?.node.__typename === "Trace" ? asked.data.node : undefined;
  const here = useRef<HTMLElement>(null);
  useEffect(() => {
    if (trace !== undefined) here.current?.scrollIntoView({ block: "nearest" });
  }, [trace]);
  const open = (traceId: string) => {
    navigate(linkTo("trace", { projectId, traceId }));
    end();
  };
  return (
    <section ref={here} className={styles.card} aria-label={text("onboarding.trace")}>
      <p role="status" className={styles.status}>
        <span className={classes(styles.dot, trace !== undefined && styles.there)} />
        {text(trace === undefined ? "onboarding.waiting" : "onboarding.arrived")}
      </p>
      <div className={styles.stage}>
        <div className={classes(styles.layer, trace !== undefined && styles.gone)} aria-hidden="true">
          {GHOSTS.map((ghost) => (
            <GhostRow key={ghost.join(" ")} ghost={ghost} />
          ))}
        </div>
        <div className={classes(styles.layer, trace === undefined && styles.gone)}>
          {trace !== undefined && rowsOf(trace).map((row) => <SpanRow key={row.id} row={row} />)}
          {trace !== undefined && trace.numSpans > AT_MOST && (
            <p className={styles.more}>{text("onboarding.more", { count: trace.numSpans - AT_MOST })}</p>
          )}
        </div>
      </div>
      {trace !== undefined && (
        <div className={styles.actions}>
          <Button look="main" onClick={() => open(trace.traceId)}>
            {text("onboarding.open")}
          </Button>
          <Button onClick={end}>{text("onboarding.list")}</Button>
        </div>
      )}
    </section>
  );
}

/** Depth, width of the name, beginning and length of the bar, in percent. */
type Ghost = readonly [depth: number, name: number, from: number, length: number];
const GHOSTS: readonly Ghost[] = [
  [0, 46, 0, 100],
  [1, 38, 2, 9],
  [1, 54, 12, 26],
  [2, 40, 13, 8],
  [2, 34, 22, 14],
  [1, 44, 40, 18],
  [1, 50, 60, 39],
];

function GhostRow({ ghost: [depth, name, from, length] }: { readonly ghost: Ghost }) {
  return (
    <div className={styles.row}>
      <span className={styles.name} style={{ paddingLeft: depth * 14 }}>
        <span className={styles.ghostGlyph} />
        <span className={styles.ghostName} style={{ width: `${name}%` }} />
      </span>
      <span className={styles.lane}>
        <span className={styles.ghostBar} style={{ left: `${from}%`, width: `${length}%` }} />
      </span>
    </div>
  );
}

type FoundTrace = Extract<ResultOf<typeof firstSpans>["node"], { readonly __typename: "Trace" }>;
type FoundSpan = FoundTrace["spans"]["edges"][number]["node"];

interface Row extends FoundSpan {
  readonly depth: number;
  /** Percent of the trace. */
  readonly from: number;
  readonly length: number;
}

function rowsOf({ spans }: FoundTrace): readonly Row[] {
  const nodes = spans.edges.map(({ node }) => node);
  const startOf = ({ startTime }: FoundSpan) => Date.parse(startTime);
  const endOf = (span: FoundSpan) => startOf(span) + (span.latencyMs ?? 0);
  const first = Math.min(...nodes.map(startOf));
  const whole = Math.max(1, Math.max(...nodes.map(endOf)) - first);
  const below = Map.groupBy(
    nodes.toSorted((a, b) => startOf(a) - startOf(b)),
    ({ parentId }) => (nodes.some(({ spanId }) => spanId === parentId) ? parentId : null),
  );
  const walk = (parent: string | null, depth: number): Row[] =>
    (below.get(parent) ?? []).flatMap((span) => [
      {
        ...span,
        depth,
        from: ((startOf(span) - first) / whole) * 100,
        length: ((span.latencyMs ?? 0) / whole) * 100,
      },
      ...walk(span.spanId, depth + 1),
    ]);
  return walk(null, 0);
}

function SpanRow({ row }: { readonly row: Row }) {
  return (
    <div className={styles.row}>
      <span className={styles.name} style={{ paddingLeft: row.depth * 14 }}>
        <KindGlyph kind={kindOf(row.spanKind)} />
        <span className={styles.word}>{row.name}</span>
      </span>
      <span className={styles.lane}>
        <span className={styles.bar} style={{ left: `${row.from}%`, width: `${row.length}%` }} />
      </span>
      <span className={styles.time}>{formatDuration(row.latencyMs)}</span>
    </div>
  );
}
