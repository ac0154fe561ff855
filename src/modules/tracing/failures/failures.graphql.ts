// Groups of failures in GraphQL: those of a project, and that of a span.
import { cursorOrder, listConnection } from "../../../graphql/connection.ts";
import { rangeOf } from "../../../graphql/statistics.ts";
import type { GraphqlTypes } from "../../../graphql/types.ts";
import { PROJECT } from "../projects/projects.schema.ts";
import { SPAN } from "../spans/spans.schema.ts";
import type { FailureGroupsService } from "./failure-groups.service.ts";
import {
  FAILURE_GROUP,
  type FailureFingerprint,
  type FailureGroupCounts,
  type FailureTrendPoint,
  type FailureVersion,
  intervalsUs,
  NEW_FOR_US,
  USUAL_POINTS,
} from "./failures.schema.ts";

export function addFailureTypes(types: GraphqlTypes, failures: FailureGroupsService): void {
  addGroupNode(types, failures);
  addParts(types, failures);
  addListOfProjects(types, failures);
  types.builder.objectField(types.ref(SPAN), "failureGroup", (t) =>
    t.field({
      type: types.ref(FAILURE_GROUP),
      nullable: true,
      description:
        "Null where it did not fail. Of a span that only passes on a failure, the group of what failed below it.",
      resolve: ({ id }, _given, call) => call.load(failures.findGroupsOfSpans, id, null),
    }),
  );
}

const stateType = ({ builder, once }: GraphqlTypes) =>
  once("FailureGroupState", () =>
    builder.enumType("FailureGroupState", {
      values: {
        OPEN: { value: "open" },
        REOPENED: { value: "reopened", description: "Resolved, and failed again since." },
        RESOLVED: { value: "resolved" },
        IGNORED: { value: "ignored" },
      } as const,
    }),
  );

function addGroupNode(types: GraphqlTypes, failures: FailureGroupsService): void {
  const { builder } = types;
  const Kind = builder.enumType("FailureKind", {
    values: {
      ERROR: { value: "error" },
      EMPTY_ANSWER: { value: "empty_answer" },
      CUT_ANSWER: { value: "cut_answer", description: "The answer ends at the token limit." },
      INVALID_JSON: { value: "invalid_json", description: "JSON was asked for." },
      REFUSED_ARGUMENTS: {
        value: "refused_arguments",
        description: "A tool was called with arguments that it cannot take.",
      },
      BLOCKED: { value: "blocked", description: "By a guardrail, or a filter of the provider." },
    } as const,
  });
  types.defineNode(FAILURE_GROUP, {
    find: (call, id) => call.load(failures.findGroups, id, null),
    fields: (t) => ({
      key: t.exposeString("key", { description: "What `error_group` is compared with in filters." }),
      kind: t.field({ type: Kind, resolve: ({ kind }) => kind }),
      type: t.exposeString("type", { nullable: true, description: "Of the exception." }),
      message: t.exposeString("message", { description: "What differs from failure to failure is replaced by …" }),
      httpStatus: t.exposeInt("httpStatus", { nullable: true }),
      code: t.exposeString("code", { nullable: true, description: "Of the provider." }),
      toolName: t.exposeString("toolName", { nullable: true }),
      spanName: t.exposeString("spanName", { nullable: true, description: "Of failures without an exception." }),
      frames: t.field({
        type: ["String"],
        description: "Of the program, not of its libraries, in the order of the stack trace.",
        resolve: ({ frames }) => [...frames],
      }),
      state: t.field({ type: stateType(types), resolve: ({ state }) => state }),
      stateChangedAt: t.field({ type: "DateTime", nullable: true, resolve: ({ stateUs }) => stateUs }),
      resolvedVersion: t.exposeString("resolvedVersion", {
        nullable: true,
        description: "The version that resolves it, or was to.",
      }),
      reopenedVersion: t.exposeString("reopenedVersion", {
        nullable: true,
        description: "Of the failure that reopened it.",
      }),
      isNew: t.boolean({
        description: "Open, and its first failure began less than a day ago.",
        resolve: ({ state, knownUs }, _given, { nowUs }) => state === "open" && knownUs >= nowUs - NEW_FOR_US,
      }),
      firstSeenAt: t.field({ type: "DateTime", resolve: ({ firstUs }) => firstUs }),
      lastSeenAt: t.field({ type: "DateTime", resolve: ({ lastUs }) => lastUs }),
      spanCount: t.exposeInt("spanCount", {
        description: "Spans that only pass on the failure of one below them are not counted.",
      }),
      traceCount: t.exposeInt("traceCount"),
      sessionCount: t.exposeInt("sessionCount"),
      userCount: t.exposeInt("userCount"),
    }),
  });
}

function addParts(types: GraphqlTypes, failures: FailureGroupsService): void {
  const { builder } = types;
  const Version = builder.objectRef<FailureVersion>("FailureGroupVersion").implement({
    fields: (t) => ({
      version: t.exposeString("version", { nullable: true, description: "`service.version` of the resource." }),
      environment: t.exposeString("environment", {
        nullable: true,
        description: "`deployment.environment.name` of the resource.",
      }),
      spanCount: t.exposeInt("spanCount"),
      firstSeenAt: t.field({ type: "DateTime", resolve: ({ firstUs }) => firstUs }),
      lastSeenAt: t.field({ type: "DateTime", resolve: ({ lastUs }) => lastUs }),
    }),
  });
  const Point = builder.objectRef<FailureTrendPoint>("FailureTrendPoint").implement({
    fields: (t) => ({
      timestamp: t.field({ type: "DateTime", resolve: ({ startUs }) => startUs }),
      spanCount: t.exposeInt("spanCount"),
    }),
  });
  const Fingerprint = builder.objectRef<FailureFingerprint>("FailureFingerprint").implement({
    fields: (t) => ({
      fingerprint: t.exposeString("fingerprint"),
      type: t.exposeString("type", { nullable: true }),
      message: t.exposeString("message"),
    }),
  });
  const Unit = builder.enumType("FailureTrendUnit", {
    values: { HOUR: { value: "hour" }, DAY: { value: "day" } } as const,
  });
  const unit = builder.args((t) => ({ unit: t.field({ type: Unit, required: true, defaultValue: "hour" }) })).unit;
  builder.objectFields(types.ref(FAILURE_GROUP), (t) => ({
    versions: t.field({
      type: [Version],
      description: "Most spans first; 20 at most.",
      resolve: async ({ id }, _given, call) => (await call.load(failures.listVersions, id, null)) ?? [],
    }),
    trend: t.field({
      type: [Point],
      description: `Intervals (UTC) without failures are left out. Without a start the last ${USUAL_POINTS} intervals.`,
      args: { timeRange: t.arg({ type: types.TimeRange }), unit },
      resolve: async ({ id }, { timeRange, unit: named }, call) => {
        const intervalUs = intervalsUs[named];
        const { startUs, endUs } = rangeOf(timeRange);
        const end = endUs ?? call.nowUs;
        const request = { startUs: startUs ?? end - USUAL_POINTS * intervalUs, endUs: end, intervalUs };
        return (await call.load(failures.readTrends, id, request)) ?? [];
      },
    }),
    spans: t.field({
      type: types.connection(SPAN),
      description: "The latest first.",
      args: types.pagingArguments(),
      resolve: ({ id }, page, call, info) =>
        listConnection({ call, info }, page, cursorOrder("start", "desc"), ({ start, end, limit, backward }) =>
          call.load(failures.listSpans, id, { start, end: end ?? null, limit, backward: backward ?? false }),
        ),
    }),
    exampleSpan: t.field({
      type: types.ref(SPAN),
      nullable: true,
      description: "The latest.",
      resolve: async ({ id }, _given, call) =>
        (await call.load(failures.listSpans, id, { start: null, limit: 1 }))?.items[0] ?? null,
    }),
    fingerprints: t.field({
      type: [Fingerprint],
      description: "Several where groups were merged.",
      resolve: async ({ id }, _given, call) => (await call.load(failures.listFingerprints, id, null)) ?? [],
    }),
  }));
}

function addListOfProjects(types: GraphqlTypes, failures: FailureGroupsService): void {
  const { builder } = types;
  const Sort = builder.enumType("FailureGroupSort", {
    values: {
      LAST_SEEN: { value: "last_seen" },
      FIRST_SEEN: { value: "first_seen" },
      SPAN_COUNT: { value: "span_count" },
      TRACE_COUNT: { value: "trace_count" },
    } as const,
  });
  const Counts = builder.objectRef<FailureGroupCounts>("FailureGroupCounts").implement({
    fields: (t) => ({
      open: t.exposeInt("open", { description: "With the new and the reopened ones." }),
      new: t.exposeInt("new", { description: "Open, and first seen less than a day ago." }),
      reopened: t.exposeInt("reopened"),
      resolved: t.exposeInt("resolved"),
      ignored: t.exposeInt("ignored"),
    }),
  });
  const NONE: FailureGroupCounts = { open: 0, new: 0, reopened: 0, resolved: 0, ignored: 0 };
  builder.objectFields(types.ref(PROJECT), (t) => ({
    failureGroups: t.field({
      type: types.connection(FAILURE_GROUP),
      description: "Failed spans by their cause, the latest first.",
      args: {
        ...types.pagingArguments(),
        states: t.arg({ type: [stateType(types)] }),
        sort: t.arg({ type: Sort, required: true, defaultValue: "last_seen" }),
      },
      resolve: ({ id }, { states, sort, ...page }, call, info) =>
        listConnection({ call, info }, page, cursorOrder(sort, "desc"), ({ start, end, limit, backward }) =>
          call.load(failures.listOfProjects, id, {
            sort,
            states: states ?? null,
            start,
            end: end ?? null,
            limit,
            backward: backward ?? false,
          }),
        ),
    }),
    failureGroupCounts: t.field({
      type: Counts,
      resolve: async ({ id }, _given, call) => (await call.load(failures.countStates, id, null)) ?? NONE,
    }),
  }));
}
