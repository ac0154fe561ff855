// Retention policies in GraphQL: what they keep, what they would delete now, what sweeps have taken, and what changes them.
import { argumentRefused, cursorOrder, listConnection, offsetConnection } from "../../../graphql/connection.ts";
import { requireRowId } from "../../../graphql/ids.ts";
import type { GraphqlTypes } from "../../../graphql/types.ts";
import { ARRIVAL, emptyPage } from "../../../kernel/list.ts";
import { inOrderOf } from "../../../storage/list.ts";
import { PROJECT, type Project } from "../projects/projects.schema.ts";
import type { ProjectsService } from "../projects/projects.service.ts";
import { cronScalar } from "./cron-scalar.graphql.ts";
import type { PreviewService } from "./preview.service.ts";
import {
  DEFAULT_POLICY_ID,
  RETENTION_POLICY,
  type RetentionPolicy,
  type RetentionPreviewCounts,
  type RetentionRule,
  type RetentionSweep,
} from "./retention.schema.ts";
import type { RetentionService } from "./retention.service.ts";
import type { SweepsService } from "./sweeps.service.ts";

interface RetentionTypesServices {
  readonly retention: RetentionService;
  readonly sweeps: SweepsService;
  readonly previews: PreviewService;
  readonly projects: ProjectsService;
  /** A sweep was asked for. */
  readonly wake: () => void;
}

/** Rows of a page of policies, or of their projects, where none are asked for. */
const POLICIES_FIRST = 100;
/** Sweeps of an answer at most. */
const MAX_SWEEPS = 100;
/** Projects of a preview at most: each is counted. */
const MAX_PREVIEWED = 100;

export function addRetentionTypes(types: GraphqlTypes, services: RetentionTypesServices): void {
  const { builder } = types;
  const { retention } = services;
  builder.scalarType("CronExpression", cronScalar);
  definePolicy(types, services);
  builder.objectField(types.ref(PROJECT), "traceRetentionPolicy", (t) =>
    t.field({
      type: types.ref(RETENTION_POLICY),
      resolve: async ({ id }, _given, call) => call.loadExisting(retention.policiesOfProjects, id),
    }),
  );
  builder.queryFields((t) => ({
    projectTraceRetentionPolicies: t.field({
      type: types.connection(RETENTION_POLICY),
      description: "The default one first.",
      may: "retention.read",
      args: types.pagingArguments(POLICIES_FIRST),
      resolve: async (_root, page, call, info) =>
        offsetConnection({ call, info }, await retention.listPolicies(call.context), page),
    }),
    defaultProjectTraceRetentionPolicy: t.field({
      type: types.ref(RETENTION_POLICY),
      may: "retention.read",
      resolve: (_root, _given, call) => retention.getPolicy(call.context, DEFAULT_POLICY_ID),
    }),
  }));
  const Rule = ruleInput(types);
  addPreview(types, services, Rule);
  addRetentionMutations(types, services, Rule);
}

function definePolicy(types: GraphqlTypes, { retention, sweeps, projects }: RetentionTypesServices): void {
  const { builder } = types;
  const Rule = ruleType(types);
  const Sweep = sweepType(types, projects);
  types.defineNode(RETENTION_POLICY, {
    find: (call, id) => call.load(retention.findPolicies, id, null),
    fields: (t) => ({
      name: t.exposeString("name"),
      cronExpression: t.field({
        type: "CronExpression",
        description: "UTC.",
        resolve: ({ schedule }) => schedule,
      }),
      rule: t.field({ type: Rule, resolve: (policy) => policy }),
      maxBytes: t.exposeFloat("maxBytes", {
        nullable: true,
        description: "Of the payloads of a project; null or 0 for any.",
      }),
      keepsAnnotated: t.exposeBoolean("keepsAnnotated", {
        description: "Traces that a person annotated stay, with those of a session that one annotated.",
      }),
      keepsDatasetSources: t.exposeBoolean("keepsDatasetSources", {
        description: "Traces that examples of datasets were made of stay.",
      }),
      nextSweepAt: t.field({ type: "DateTime", resolve: (policy) => retention.nextSweepUs(policy) }),
      projects: t.field({
        type: types.connection(PROJECT),
        args: types.pagingArguments(POLICIES_FIRST),
        resolve: ({ id }, page, call, info) =>
          listConnection<Project, typeof ARRIVAL>(
            { call, info },
            page,
            cursorOrder(ARRIVAL, "asc"),
            async (request) => {
              const ids = (await call.load(retention.pageProjects, id, request)) ?? emptyPage;
              const found = await Promise.all(ids.items.map((each) => call.load(projects.findProjects, each, null)));
              return inOrderOf(
                ids,
                found.filter((project) => project !== null),
              );
            },
          ),
      }),
      sweeps: t.field({
        type: [Sweep],
        description: "What it has taken from projects, the newest first, for half a year.",
        args: { first: t.arg.int({ required: true, defaultValue: 20 }) },
        resolve: async ({ id }, { first }, call) => {
          requireFirst(first);
          return [...((await call.load(sweeps.listOfPolicies, id, first)) ?? [])];
        },
      }),
    }),
  });
  builder.objectField(types.ref(PROJECT), "retentionSweeps", (t) =>
    t.field({
      type: [Sweep],
      description: "What sweeps have taken from it, the newest first, for half a year.",
      args: { first: t.arg.int({ required: true, defaultValue: 20 }) },
      resolve: async ({ id }, { first }, call) => {
        requireFirst(first);
        return [...((await call.load(sweeps.listOfProjects, id, first)) ?? [])];
      },
    }),
  );
}

function requireFirst(first: number): void {
  if (first < 1 || first > MAX_SWEEPS) throw argumentRefused("first", `must be from 1 to ${MAX_SWEEPS}`);
}

/** A rule that has neither half is one of both, switched off. */
function ruleType({ builder }: GraphqlTypes) {
  const MaxDays = builder.objectRef<RetentionRule>("TraceRetentionRuleMaxDays").implement({
    fields: (t) => ({ maxDays: t.float({ resolve: ({ maxDays }) => maxDays ?? 0 }) }),
  });
  const MaxCount = builder.objectRef<RetentionRule>("TraceRetentionRuleMaxCount").implement({
    fields: (t) => ({ maxCount: t.int({ resolve: ({ maxCount }) => maxCount ?? 0 }) }),
  });
  const Both = builder.objectRef<RetentionRule>("TraceRetentionRuleMaxDaysOrCount").implement({
    fields: (t) => ({
      maxDays: t.float({ resolve: ({ maxDays }) => maxDays ?? 0 }),
      maxCount: t.int({ resolve: ({ maxCount }) => maxCount ?? 0 }),
    }),
  });
  return builder.unionType("TraceRetentionRule", {
    types: [MaxDays, MaxCount, Both],
    resolveType: ({ maxDays, maxCount }) => {
      if ((maxDays === null) === (maxCount === null)) return Both;
      return maxCount === null ? MaxDays : MaxCount;
    },
  });
}

function sweepType(types: GraphqlTypes, projects: ProjectsService) {
  return types.builder.objectRef<RetentionSweep>("TraceRetentionSweep").implement({
    fields: (t) => ({
      project: t.field({
        type: types.ref(PROJECT),
        nullable: true,
        description: "Null for one that is gone.",
        resolve: ({ projectId }, _given, call) => call.load(projects.findProjects, projectId, null),
      }),
      startedAt: t.field({ type: "DateTime", resolve: ({ beganUs }) => beganUs }),
      endedAt: t.field({ type: "DateTime", resolve: ({ endedUs }) => endedUs }),
      traceCount: t.exposeInt("traces"),
      spanCount: t.exposeInt("spans"),
      byteCount: t.exposeFloat("bytes", { description: "Of payloads." }),
      failure: t.exposeString("failure", { nullable: true, description: "Why it ended early." }),
    }),
  });
}

function ruleInput({ builder }: GraphqlTypes) {
  const MaxDays = builder.inputType("ProjectTraceRetentionRuleMaxDaysInput", {
    fields: (t) => ({ maxDays: t.float({ required: true }) }),
  });
  const MaxCount = builder.inputType("ProjectTraceRetentionRuleMaxCountInput", {
    fields: (t) => ({ maxCount: t.int({ required: true }) }),
  });
  const Both = builder.inputType("ProjectTraceRetentionRuleMaxDaysOrCountInput", {
    fields: (t) => ({ maxDays: t.float({ required: true }), maxCount: t.int({ required: true }) }),
  });
  return builder.inputType("ProjectTraceRetentionRuleInput", {
    isOneOf: true,
    fields: (t) => ({
      maxDays: t.field({ type: MaxDays }),
      maxCount: t.field({ type: MaxCount }),
      maxDaysOrCount: t.field({ type: Both }),
    }),
  });
}

type RuleInputRef = ReturnType<typeof ruleInput>;

function halvesOf({ maxDays, maxCount, maxDaysOrCount }: RuleInputRef["$inferInput"]) {
  if (maxDays) return { maxDays: maxDays.maxDays, maxCount: null };
  if (maxCount) return { maxDays: null, maxCount: maxCount.maxCount };
  if (maxDaysOrCount) return { maxDays: maxDaysOrCount.maxDays, maxCount: maxDaysOrCount.maxCount };
  throw argumentRefused("rule", "exactly one kind of rule must be given");
}

interface PreviewedProject extends RetentionPreviewCounts {
  readonly project: Project;
}

function addPreview(
  types: GraphqlTypes,
  { retention, previews, projects }: RetentionTypesServices,
  Rule: RuleInputRef,
): void {
  const { builder } = types;
  const Previewed = builder.objectRef<PreviewedProject>("TraceRetentionPreview").implement({
    fields: (t) => ({
      project: t.field({ type: types.ref(PROJECT), resolve: ({ project }) => project }),
      traceCount: t.exposeInt("traces"),
      spanCount: t.exposeInt("spans"),
      byteCount: t.exposeFloat("bytes", { description: "Of payloads." }),
      isEverything: t.exposeBoolean("isEverything", { description: "No trace of the project would stay." }),
      isComplete: t.exposeBoolean("isComplete", {
        description: "False where the time was over: the counts are at least these.",
      }),
    }),
  });
  const PreviewInput = builder.inputType("TraceRetentionPreviewInput", {
    fields: (t) => ({
      rule: t.field({ type: Rule, required: true }),
      maxBytes: t.float(),
      keepsAnnotated: t.boolean(),
      keepsDatasetSources: t.boolean(),
      policyId: t.id({ description: "Its projects are looked at." }),
      projectIds: t.idList({ description: "More projects that are looked at." }),
    }),
  });
  builder.queryField("previewTraceRetention", (t) =>
    t.field({
      type: [Previewed],
      description: `What a rule would delete now, by project. Nothing is deleted. Projects that lose nothing are left out; at most ${MAX_PREVIEWED} are looked at.`,
      may: "retention.read",
      args: { input: t.arg({ type: PreviewInput, required: true }) },
      resolve: async (_root, { input }, call) => {
        const rule: RetentionRule = {
          ...halvesOf(input.rule),
          maxBytes: input.maxBytes ?? null,
          keepsAnnotated: input.keepsAnnotated ?? false,
          keepsDatasetSources: input.keepsDatasetSources ?? false,
        };
        const named = (input.projectIds ?? []).map((id) => requireRowId(PROJECT, id));
        const own = input.policyId
          ? await retention.listProjectIds(call.context, requireRowId(RETENTION_POLICY, input.policyId))
          : [];
        const ids = [...new Set([...own, ...named])];
        if (ids.length > MAX_PREVIEWED) throw argumentRefused("projectIds", `more than ${MAX_PREVIEWED} projects`);
        const found = await projects.findProjects(call.context, ids);
        const previewed: PreviewedProject[] = [];
        for (const [id, counts] of await previews.preview(
          call.context,
          ids.filter((id) => found.has(id)),
          rule,
        )) {
          if (counts.traces > 0 || !counts.isComplete) previewed.push({ project: found.get(id)!, ...counts });
        }
        return previewed;
      },
    }),
  );
}

function addRetentionMutations(
  types: GraphqlTypes,
  { retention, wake }: RetentionTypesServices,
  Rule: RuleInputRef,
): void {
  const { builder } = types;
  const CreateInput = builder.inputType("CreateProjectTraceRetentionPolicyInput", {
    fields: (t) => ({
      name: t.string({ required: true }),
      cronExpression: t.field({ type: "CronExpression", required: true }),
      rule: t.field({ type: Rule, required: true }),
      maxBytes: t.float(),
      keepsAnnotated: t.boolean(),
      keepsDatasetSources: t.boolean(),
      addProjects: t.idList(),
    }),
  });
  const PatchInput = builder.inputType("PatchProjectTraceRetentionPolicyInput", {
    fields: (t) => ({
      id: t.id({ required: true }),
      name: t.string(),
      cronExpression: t.field({ type: "CronExpression" }),
      rule: t.field({ type: Rule }),
      maxBytes: t.float({ description: "0 for any." }),
      keepsAnnotated: t.boolean(),
      keepsDatasetSources: t.boolean(),
      addProjects: t.idList(),
      removeProjects: t.idList(),
    }),
  });
  const IdInput = (name: string) => builder.inputType(name, { fields: (t) => ({ id: t.id({ required: true }) }) });
  const Payload = types.payload<{ readonly node: RetentionPolicy }>(
    "ProjectTraceRetentionPolicyMutationPayload",
    (t) => ({
      node: t.field({ type: types.ref(RETENTION_POLICY), resolve: ({ node }) => node }),
    }),
  );
  const projectIds = (ids: readonly string[] | null | undefined) => (ids ?? []).map((id) => requireRowId(PROJECT, id));

  builder.mutationFields((t) => ({
    createProjectTraceRetentionPolicy: t.field({
      type: Payload,
      may: "retention.change",
      adds: true,
      args: { input: t.arg({ type: CreateInput, required: true }) },
      resolve: async (_root, { input }, call) => {
        const policy = {
          name: input.name,
          schedule: input.cronExpression,
          ...halvesOf(input.rule),
          maxBytes: input.maxBytes ?? null,
          keepsAnnotated: input.keepsAnnotated ?? false,
          keepsDatasetSources: input.keepsDatasetSources ?? false,
        };
        return { node: await retention.createPolicy(call.context, policy, { add: projectIds(input.addProjects) }) };
      },
    }),
    patchProjectTraceRetentionPolicy: t.field({
      type: Payload,
      description: "What is absent or null stays as it is.",
      may: "retention.change",
      adds: true,
      args: { input: t.arg({ type: PatchInput, required: true }) },
      resolve: async (_root, { input }, call) => {
        const { name, cronExpression: schedule, rule, maxBytes, keepsAnnotated, keepsDatasetSources } = input;
        const given = { name, schedule, maxBytes, keepsAnnotated, keepsDatasetSources };
        const present = Object.entries(given).filter(([, value]) => value !== null && value !== undefined);
        const changes = { ...Object.fromEntries(present), ...(rule ? halvesOf(rule) : {}) };
        const assignments = { add: projectIds(input.addProjects), remove: projectIds(input.removeProjects) };
        const id = requireRowId(RETENTION_POLICY, input.id);
        return { node: await retention.changePolicy(call.context, id, changes, assignments) };
      },
    }),
    deleteProjectTraceRetentionPolicy: t.field({
      type: Payload,
      description: "Its projects have the default policy then, which cannot be deleted.",
      may: "retention.change",
      adds: false,
      args: { input: t.arg({ type: IdInput("DeleteProjectTraceRetentionPolicyInput"), required: true }) },
      resolve: async (_root, { input }, call) => ({
        node: await retention.deletePolicy(call.context, requireRowId(RETENTION_POLICY, input.id)),
      }),
    }),
    runProjectTraceRetentionPolicy: t.field({
      type: Payload,
      description: "Has it served within a minute, whatever its schedule says.",
      may: "retention.change",
      adds: false,
      args: { input: t.arg({ type: IdInput("RunProjectTraceRetentionPolicyInput"), required: true }) },
      resolve: async (_root, { input }, call) => {
        const node = await retention.requestSweep(call.context, requireRowId(RETENTION_POLICY, input.id));
        wake();
        return { node };
      },
    }),
  }));
}
