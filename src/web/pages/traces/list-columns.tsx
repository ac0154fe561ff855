// The columns of the lists of traces and spans.

import { CostCell } from "../../domain/costs/Cost.tsx";
import { failureWords } from "../../domain/trace/failures.ts";
import { KindGlyph } from "../../domain/trace/KindGlyph.tsx";
import { kindOf } from "../../domain/trace/kind-of.ts";
import { type AttributeText, attributeCell } from "../../explorer/attribute-columns.tsx";
import type { CellValue } from "../../explorer/cell-actions.tsx";
import { InputToOutput, Title, Words } from "../../explorer/cells.tsx";
import type { Facet } from "../../explorer/facets.ts";
import { verdictCell } from "../../explorer/verdicts/verdict-columns.tsx";
import { Time } from "../../kit/Time.tsx";
import type { Column } from "../../kit/table/DataTable.tsx";
import { formatCompact, formatCount, formatDuration } from "../../lib/format.ts";
import { text } from "../../texts/texts.ts";
import { spanFacets, traceFacets } from "./facet-conditions.ts";
import styles from "./lists.module.css";
import type { SpanListRow, TraceRow } from "./lists.queries.ts";

/** A row with the longest latency of the rows around it, which its bar is measured by. */
export type Measured<Row> = Row & { readonly slowestMs: number };

/** Of the rows of one page. */
export function measured<Row extends { readonly latencyMs: number | null }>(rows: readonly Row[]): Measured<Row>[] {
  const slowestMs = rows.reduce((slowest, { latencyMs }) => Math.max(slowest, latencyMs ?? 0), 0);
  return rows.map((row) => ({ ...row, slowestMs }));
}

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

/** Sorted by the word that the list knows. */
function costColumn<
  Row extends { readonly id: string; readonly costTotal: number | null; readonly tokenCountTotal: number | null },
>(key: string): Column<Row> {
  return {
    key,
    title: text("costs.cost"),
    width: 88,
    align: "end",
    sortable: true,
    render: ({ id, costTotal, tokenCountTotal }) => <CostCell id={id} cost={costTotal} tokens={tokenCountTotal} />,
  };
}

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
  render: ({ userId }) => <Words>{userId}</Words>,
};

const nameColumn = {
  key: "name",
  title: text("traces.name"),
  width: 210,
  grow: 1,
  pinned: true,
  narrow: "title",
} as const;

const previewColumn = {
  key: "said",
  title: text("traces.preview"),
  width: 320,
  grow: 4,
  pinned: true,
  narrow: "line",
} as const;

export function nameOf({ rootSpan, traceId }: TraceRow): string {
  return rootSpan?.shownName || (rootSpan === null ? text("traces.unnamed") : traceId);
}

function failureOf({ statusCode, errorHead }: SpanListRow): string | null {
  return statusCode === "ERROR" ? errorHead || text("traces.failed") : null;
}

export const traceColumns: readonly Column<Measured<TraceRow>>[] = [
  {
    ...nameColumn,
    render: (row) => <Title mark={<KindGlyph kind={kindOf(row.rootSpan?.spanKind)} />} words={nameOf(row)} />,
  },
  {
    ...previewColumn,
    render: (row) => (
      <InputToOutput failure={failureWords(row)} input={row.rootSpan?.inputSaid} output={row.rootSpan?.outputSaid} />
    ),
  },
  latencyColumn,
  tokensColumn,
  costColumn("costTotal"),
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
    render: ({ session }) => <Words>{session?.sessionId}</Words>,
  },
];

export const spanColumns: readonly Column<Measured<SpanListRow>>[] = [
  {
    ...nameColumn,
    render: ({ shownName, spanKind }) => <Title mark={<KindGlyph kind={kindOf(spanKind)} />} words={shownName} />,
  },
  {
    ...previewColumn,
    render: (row) => <InputToOutput failure={failureOf(row)} input={row.inputSaid} output={row.outputSaid} />,
  },
  {
    key: "model",
    title: text("traces.model"),
    width: 120,
    render: ({ modelName }) => <Words>{modelName}</Words>,
  },
  latencyColumn,
  tokensColumn,
  costColumn("tokenCostTotal"),
  startColumn,
  userColumn,
  { key: "trace", title: text("traces.trace"), width: 120, hidden: true, render: ({ trace }) => trace.traceId },
];

/** Of rows that all have this name the column of names is redundant: its place goes to the preview, behind the kind. */
export function tracesNamed(
  columns: readonly Column<Measured<TraceRow>>[],
  name: string,
): readonly Column<Measured<TraceRow>>[] {
  return withoutNames(columns, name, (row) => (
    <InputToOutput
      mark={<KindGlyph kind={kindOf(row.rootSpan?.spanKind)} />}
      failure={failureWords(row)}
      input={row.rootSpan?.inputSaid}
      output={row.rootSpan?.outputSaid}
    />
  ));
}

export function spansNamed<Row extends Measured<SpanListRow>>(
  columns: readonly Column<Row>[],
  name: string,
): readonly Column<Row>[] {
  return withoutNames(columns, name, (row) => (
    <InputToOutput
      mark={<KindGlyph kind={kindOf(row.spanKind)} />}
      failure={failureOf(row)}
      input={row.inputSaid}
      output={row.outputSaid}
    />
  ));
}

function withoutNames<Row>(
  columns: readonly Column<Row>[],
  name: string,
  render: Column<Row>["render"],
): readonly Column<Row>[] {
  return columns.flatMap((column) => {
    if (column.key === "name") return [];
    if (column.key !== previewColumn.key) return [column];
    return [{ ...column, title: text("traces.preview.named", { name }), narrow: "title" as const, render }];
  });
}

/** Of the root span. */
export function traceAttributes({ rootSpan }: TraceRow): readonly AttributeText[] {
  return rootSpan?.attributeTexts ?? [];
}

export function spanAttributes({ attributeTexts }: SpanListRow): readonly AttributeText[] {
  return attributeTexts;
}

/** What the menu of a cell is about. */
export function traceCell(row: TraceRow, column: string): CellValue | null {
  const attribute = attributeCell(traceAttributes(row), column);
  if (attribute !== undefined) return attribute;
  const verdict = verdictCell("traces", row.verdicts, column) ?? verdictCell("roots", row.rootSpan?.verdicts, column);
  if (verdict !== undefined) return verdict;
  switch (column) {
    case "name":
      return row.rootSpan === null ? null : { value: row.rootSpan.name, facet: traceFacets.name };
    case "said":
      return valueIn(previewText(row.rootSpan?.inputSaid, row.rootSpan?.outputSaid)) ?? traceCell(row, "name");
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
  const attribute = attributeCell(spanAttributes(row), column);
  if (attribute !== undefined) return attribute;
  const verdict = verdictCell("spans", row.verdicts, column);
  if (verdict !== undefined) return verdict;
  switch (column) {
    case "name":
      return { value: row.name, facet: spanFacets.name };
    case "said":
      return valueIn(previewText(row.inputSaid, row.outputSaid)) ?? spanCell(row, "name");
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

/** Without a preview the cell stands for the name, whose place it may have. */
function previewText(...sides: readonly (string | null | undefined)[]): string {
  return sides.filter(Boolean).join("\n→ ");
}

function valueIn(value: string | null | undefined, facet?: Facet): CellValue | null {
  if (value === null || value === undefined || value === "") return null;
  return facet === undefined ? { value } : { value, facet };
}
