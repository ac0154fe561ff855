// The columns of the lists of traces and spans.

import { KindGlyph } from "../../domain/trace/KindGlyph.tsx";
import { kindOf } from "../../domain/trace/kind-of.ts";
import type { CellValue } from "../../explorer/cell-actions.tsx";
import { Failure, Preview, Title } from "../../explorer/cells.tsx";
import type { Facet } from "../../explorer/facets.ts";
import { Time } from "../../kit/Time.tsx";
import type { Column } from "../../kit/table/DataTable.tsx";
import { formatCompact, formatCount, formatDuration } from "../../lib/format.ts";
import { text } from "../../texts/texts.ts";
import styles from "./lists.module.css";
import type { SpanListRow, TraceRow } from "./lists.queries.ts";
import { spanFacets, traceFacets } from "./span-facets.tsx";

/** A row with the longest latency of the rows around it, which its bar is measured by. */
export type Measured<Row> = Row & { readonly slowestMs: number };

interface Timed {
  readonly latencyMs: number | null;
  readonly slowestMs: number;
}

function latency({ latencyMs, slowestMs }: Timed) {
  const share = slowestMs > 0 ? Math.max(0.02, (latencyMs ?? 0) / slowestMs) : 0;
  return (
    <span className={styles.latency}>
      {formatDuration(latencyMs)}
      <span className={styles.track}>
        <span style={{ width: `${share * 100}%` }} />
      </span>
    </span>
  );
}

const latencyColumn: Column<Timed> = {
  key: "latencyMs",
  title: text("traces.latency"),
  width: 152,
  align: "end",
  sortable: true,
  narrow: "line",
  render: latency,
};

const tokensColumn: Column<{ readonly tokenCountTotal: number | null }> = {
  key: "tokenCountTotal",
  title: text("traces.tokens"),
  width: 84,
  align: "end",
  sortable: true,
  // Of what counts no tokens the cell stays empty.
  render: ({ tokenCountTotal }) => (tokenCountTotal ? formatCompact(tokenCountTotal) : ""),
};

const startColumn: Column<{ readonly startTime: string | null }> = {
  key: "startTime",
  title: text("traces.started"),
  width: 132,
  align: "end",
  sortable: true,
  narrow: "aside",
  render: ({ startTime }) => <Time at={startTime} />,
};

const userColumn: Column<{ readonly userId: string | null }> = {
  key: "user",
  title: text("traces.user"),
  width: 120,
  hidden: true,
  render: ({ userId }) => userId ?? "",
};

/** The most frequent type of error; only the word if no type was recorded. */
function errorOf({ errorCount, errorsByType }: TraceRow): string | null {
  if (errorCount === 0) return null;
  const [first, ...others] = errorsByType.flatMap(({ exceptionType }) =>
    exceptionType === null ? [] : [exceptionType],
  );
  if (first === undefined) return text("traces.failed");
  return others.length === 0 ? first : text("traces.failed.more", { type: first, more: others.length });
}

export const traceColumns: readonly Column<Measured<TraceRow>>[] = [
  {
    key: "name",
    title: text("traces.name"),
    width: 210,
    grow: 1,
    pinned: true,
    narrow: "title",
    render: (row) => (
      <Title
        mark={<KindGlyph kind={kindOf(row.rootSpan?.spanKind)} />}
        words={row.rootSpan?.name || (row.rootSpan === null ? text("traces.unnamed") : row.traceId)}
      >
        <Failure words={errorOf(row)} />
      </Title>
    ),
  },
  {
    key: "input",
    title: text("traces.input"),
    width: 160,
    grow: 2,
    narrow: "line",
    render: ({ rootSpan }) => <Preview value={rootSpan?.input} side="input" />,
  },
  {
    key: "output",
    title: text("traces.output"),
    width: 160,
    grow: 2,
    render: ({ rootSpan }) => <Preview value={rootSpan?.output} side="output" />,
  },
  latencyColumn,
  tokensColumn,
  {
    key: "numSpans",
    title: text("traces.spans"),
    width: 76,
    align: "end",
    sortable: true,
    render: ({ numSpans }) => formatCount(numSpans),
  },
  startColumn,
  {
    key: "errorCount",
    title: text("traces.errors"),
    width: 76,
    align: "end",
    sortable: true,
    hidden: true,
    render: ({ errorCount }) => (errorCount === 0 ? "" : formatCount(errorCount)),
  },
  userColumn,
  {
    key: "session",
    title: text("traces.session"),
    width: 120,
    hidden: true,
    render: ({ session }) => session?.sessionId ?? "",
  },
];

export const spanColumns: readonly Column<Measured<SpanListRow>>[] = [
  {
    key: "name",
    title: text("traces.name"),
    width: 210,
    grow: 1,
    pinned: true,
    narrow: "title",
    render: ({ name, spanKind, statusCode, errorHead }) => (
      <Title mark={<KindGlyph kind={kindOf(spanKind)} />} words={name}>
        <Failure words={statusCode === "ERROR" ? errorHead || text("traces.failed") : null} />
      </Title>
    ),
  },
  {
    key: "input",
    title: text("traces.input"),
    width: 160,
    grow: 2,
    narrow: "line",
    render: ({ input }) => <Preview value={input} side="input" />,
  },
  {
    key: "output",
    title: text("traces.output"),
    width: 160,
    grow: 2,
    render: ({ output }) => <Preview value={output} side="output" />,
  },
  { key: "model", title: text("traces.model"), width: 120, render: ({ modelName }) => modelName ?? "" },
  latencyColumn,
  tokensColumn,
  startColumn,
  userColumn,
  { key: "trace", title: text("traces.trace"), width: 120, hidden: true, render: ({ trace }) => trace.traceId },
];

/** What the menu of a cell is about. */
export function traceCell(row: TraceRow, column: string): CellValue | null {
  switch (column) {
    case "name":
      return row.rootSpan === null ? null : { value: row.rootSpan.name, facet: traceFacets.name };
    case "input":
    case "output":
      return valueIn(row.rootSpan?.[column]?.truncatedValue);
    case "user":
      return valueIn(row.userId, traceFacets.user);
    case "session":
      return valueIn(row.session?.sessionId);
    case "startTime":
      return { value: row.startTime };
    default:
      return { value: row.traceId };
  }
}

export function spanCell(row: SpanListRow, column: string): CellValue | null {
  switch (column) {
    case "name":
      return { value: row.name, facet: spanFacets.name };
    case "input":
    case "output":
      return valueIn(row[column]?.truncatedValue);
    case "model":
      return valueIn(row.modelName, spanFacets.model);
    case "user":
      return valueIn(row.userId, spanFacets.user);
    case "startTime":
      return valueIn(row.startTime);
    case "trace":
      return { value: row.trace.traceId, facet: spanFacets.trace };
    default:
      return { value: row.spanId };
  }
}

function valueIn(value: string | null | undefined, facet?: Facet): CellValue | null {
  if (value === null || value === undefined || value === "") return null;
  return facet === undefined ? { value } : { value, facet };
}
