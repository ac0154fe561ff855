// The lists of spans that other types have.
import { annotationOf, annotationStart } from "../../../../graphql/annotation-sort.ts";
import { pageConnection, readStart, requireBounded } from "../../../../graphql/connection.ts";
import type { GraphqlTypes } from "../../../../graphql/types.ts";
import { ARRIVAL, emptyPage } from "../../../../kernel/list.ts";
import { annotationValues } from "../../../../storage/annotation-order.ts";
import { PROJECT } from "../../projects/projects.schema.ts";
import { TRACE } from "../../traces/traces.schema.ts";
import { type SpanSort, shownSpanSorts, spanList } from "../list/span-list.rules.ts";
import { SPAN } from "../spans.schema.ts";
import type { RootSelection, SpanReadsService } from "./span-reads.service.ts";

export function addSpanLists(types: GraphqlTypes, spanReads: SpanReadsService): void {
  const { builder } = types;
  const SpanColumn = builder.enumType("SpanColumn", { values: shownSpanSorts });
  const EvalAttr = builder.enumType("EvalAttr", { values: annotationValues });
  const EvalResultKey = builder.inputType("EvalResultKey", {
    fields: (t) => ({ name: t.string({ required: true }), attr: t.field({ type: EvalAttr, required: true }) }),
  });
  const SpanSortInput = builder.inputType("SpanSort", {
    description: "By a column, or by an annotation: then the spans that have none are left out.",
    fields: (t) => ({
      col: t.field({ type: SpanColumn }),
      evalResultKey: t.field({ type: EvalResultKey }),
      dir: t.field({ type: types.SortDir, required: true }),
    }),
  });

  builder.objectField(types.ref(PROJECT), "spans", (t) =>
    t.field({
      type: types.connection(SPAN),
      description: "In the order of arrival when nothing else is asked for.",
      args: {
        ...types.boundedArguments(),
        timeRange: t.arg({ type: types.TimeRange }),
        sort: t.arg({ type: SpanSortInput }),
        rootSpansOnly: t.arg.boolean(),
        filterCondition: t.arg.string(),
        traceFilterCondition: t.arg.string(),
        orphanSpanAsRootSpan: t.arg.boolean({ defaultValue: true }),
      },
      resolve: async (project, given, call, info) => {
        const limit = requireBounded(given);
        const { timeRange, sort, filterCondition, traceFilterCondition } = given;
        const annotation = annotationOf(sort, sort?.evalResultKey);
        const order = sort?.dir ?? "asc";
        const spans = {
          projectId: project.id,
          startUs: timeRange?.start ?? null,
          endUs: timeRange?.end ?? null,
          roots: rootScope(given),
          condition: filterCondition ?? "",
          traceCondition: traceFilterCondition ?? "",
        };
        if (annotation !== null) {
          const { word, start } = annotationStart("spans", annotation, order, given.after);
          const page = await call.readOnce(spanReads.listByAnnotation, spans, {
            sort: annotation,
            order,
            start,
            limit,
          });
          return pageConnection({ call, info }, page, word);
        }
        const by: SpanSort = sort?.col ?? ARRIVAL;
        const word = spanList.orderWord(by, order);
        const start = readStart(word, given.after);
        const page = await call.readOnce(spanReads.listOfProject, spans, { sort: by, order, start, limit });
        return pageConnection({ call, info }, page, word);
      },
    }),
  );

  builder.objectField(types.ref(TRACE), "spans", (t) =>
    t.field({
      type: types.connection(SPAN),
      description: "Newest arrival first.",
      args: {
        ...types.boundedArguments(),
        rootSpansOnly: t.arg.boolean(),
        orphanSpanAsRootSpan: t.arg.boolean({ defaultValue: true }),
        filterCondition: t.arg.string(),
      },
      resolve: async (trace, given, call, info) => {
        const limit = requireBounded(given);
        const asked = {
          roots: rootScope(given),
          condition: given.filterCondition ?? "",
          start: readStart(ARRIVAL, given.after),
          limit,
        };
        const page = await call.load(spanReads.listOfTraces, trace.id, asked);
        return pageConnection({ call, info }, page ?? emptyPage, ARRIVAL);
      },
    }),
  );

  builder.objectField(types.ref(TRACE), "rootSpan", (t) =>
    t.field({
      type: types.ref(SPAN),
      nullable: true,
      description: "The earliest span without a parent, or whose parent has not arrived.",
      resolve: (trace, _given, call) => call.load(spanReads.findRoots, trace.id, null),
    }),
  );
}

interface RootArguments {
  readonly rootSpansOnly?: boolean | null | undefined;
  readonly orphanSpanAsRootSpan?: boolean | null | undefined;
}

/** The flag about orphans has no effect alone. */
function rootScope(given: RootArguments): RootSelection {
  if (given.rootSpansOnly !== true) return "none";
  return given.orphanSpanAsRootSpan === false ? "strict" : "orphans";
}
