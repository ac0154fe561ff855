// `Project.traces` and `Project.traceFigures`: what the pages list and sum up. Fields that exist here only.
import { argumentRefused, pageConnection, readStart, requireBounded } from "../../../../graphql/connection.ts";
import { rangeOf } from "../../../../graphql/statistics.ts";
import type { GraphqlTypes } from "../../../../graphql/types.ts";
import { PROJECT } from "../../projects/projects.schema.ts";
import { TRACE } from "../traces.schema.ts";
import { traceList, traceSorts } from "./trace-list.rules.ts";
import type { FiguresOfTraces, TraceListService } from "./trace-list.service.ts";

const MICROSECONDS = 1000;

const UNITS_PER_DOLLAR = 1e12;

const milliseconds = (microseconds: number | null) => (microseconds === null ? null : microseconds / MICROSECONDS);

export function traceFiguresType({ builder, once }: GraphqlTypes) {
  return once("TraceFigures", () =>
    builder.objectRef<FiguresOfTraces>("TraceFigures").implement({
      fields: (t) => ({
        count: t.exposeInt("count"),
        errorCount: t.exposeInt("errorCount", { description: "Traces in which a span failed." }),
        latencyMsP50: t.float({ nullable: true, resolve: ({ p50Us }) => milliseconds(p50Us) }),
        latencyMsP99: t.float({ nullable: true, resolve: ({ p99Us }) => milliseconds(p99Us) }),
        tokenCountPrompt: t.exposeFloat("promptTokens"),
        tokenCountCompletion: t.exposeFloat("completionTokens"),
        tokenCountTotal: t.float({ resolve: ({ promptTokens, completionTokens }) => promptTokens + completionTokens }),
        costTotal: t.float({
          nullable: true,
          description: "US dollars; null where no price is known.",
          resolve: ({ cost }) => (cost === 0 ? null : cost / UNITS_PER_DOLLAR),
        }),
      }),
    }),
  );
}

export function addTraceList(types: GraphqlTypes, lists: TraceListService): void {
  const { builder } = types;
  const TraceColumn = builder.enumType("TraceColumn", { values: traceSorts });
  const TraceSort = builder.inputType("TraceSort", {
    fields: (t) => ({
      col: t.field({ type: TraceColumn, required: true }),
      dir: t.field({ type: types.SortDir, required: true }),
    }),
  });

  builder.objectFields(types.ref(TRACE), (t) => ({
    tokenCountPrompt: t.float({ description: "Of its LLM spans.", resolve: ({ promptTokens }) => promptTokens }),
    tokenCountCompletion: t.float({ resolve: ({ completionTokens }) => completionTokens }),
    tokenCountTotal: t.float({ resolve: ({ promptTokens, completionTokens }) => promptTokens + completionTokens }),
  }));
  builder.objectFields(types.ref(PROJECT), (t) => ({
    traces: t.field({
      type: types.connection(TRACE),
      description: "Latest start first when nothing else is asked for. The condition is one on traces.",
      args: {
        ...types.boundedArguments(),
        timeRange: t.arg({ type: types.TimeRange }),
        sort: t.arg({ type: TraceSort }),
        filterCondition: t.arg.string(),
      },
      resolve: async (project, given, call, info) => {
        const limit = requireBounded(given);
        const sort = given.sort?.col ?? "startTime";
        const order = given.sort?.dir ?? "desc";
        const word = traceList.orderWord(sort, order);
        const start = readStart(word, given.after);
        if (start?.place.value === null) throw argumentRefused("after", "is not a cursor of this list");
        const scope = {
          projectId: project.id,
          range: rangeOf(given.timeRange),
          condition: given.filterCondition ?? "",
        };
        const page = await call.readOnce(lists.listOfProject, scope, { sort, order, start, limit });
        return pageConnection({ call, info }, page, word);
      },
    }),
    traceFigures: t.field({
      type: traceFiguresType(types),
      description: "Over the traces that start in the range and match the condition on traces.",
      args: { timeRange: t.arg({ type: types.TimeRange }), filterCondition: t.arg.string() },
      resolve: ({ id }, { timeRange, filterCondition }, call) =>
        call.readOnce(lists.getFigures, {
          projectId: id,
          range: rangeOf(timeRange),
          condition: filterCondition ?? "",
        }),
    }),
  }));
}
