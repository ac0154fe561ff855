// How versions of prompts fare, in GraphQL.
import { rangeOf } from "../../../../graphql/statistics.ts";
import type { GraphqlTypes } from "../../../../graphql/types.ts";
import { globalId } from "../../../../kernel/ids.ts";
import { PROJECT } from "../../../tracing/projects/projects.schema.ts";
import type { ProjectsService } from "../../../tracing/projects/projects.service.ts";
import { PROMPT_VERSION, type VersionScore } from "../prompts.schema.ts";
import { conditionOfVersions } from "./prompt-usage.rules.ts";
import type { PromptUsageService, VersionUsage } from "./prompt-usage.service.ts";

const MICROSECONDS = 1000;

export function addPromptUsage(types: GraphqlTypes, usage: PromptUsageService, projects: ProjectsService): void {
  const { builder, ref, TimeRange } = types;
  const Score = builder.objectRef<VersionScore>("PromptVersionScore").implement({
    fields: (t) => ({
      name: t.exposeString("name"),
      mean: t.exposeFloat("mean", { description: "Of the means of the spans." }),
      spanCount: t.exposeInt("count", { description: "Spans that have a score of the name." }),
    }),
  });
  const Usage = builder.objectRef<VersionUsage>("PromptVersionUsage").implement({
    description: "The spans of one project that name the version.",
    fields: (t) => ({
      project: t.field({
        type: ref(PROJECT),
        nullable: true,
        resolve: ({ projectId }, _given, call) => call.load(projects.findProjects, projectId, null),
      }),
      spanCount: t.exposeInt("spanCount"),
      errorCount: t.exposeInt("errorCount"),
      latencyMsP50: t.float({ resolve: ({ latencyP50 }) => latencyP50 / MICROSECONDS }),
      latencyMsP95: t.float({ resolve: ({ latencyP95 }) => latencyP95 / MICROSECONDS }),
      tokenCountPrompt: t.exposeFloat("promptTokens"),
      tokenCountCompletion: t.exposeFloat("completionTokens"),
      scores: t.field({ type: [Score], description: "By name.", resolve: ({ scores }) => [...scores] }),
    }),
  });
  builder.objectFields(ref(PROMPT_VERSION), (t) => ({
    spanCondition: t.string({
      description: "The condition on spans that finds those that name the version.",
      resolve: ({ id }) => conditionOfVersions([globalId(PROMPT_VERSION, id)]),
    }),
    usage: t.field({
      type: [Usage],
      description: "By project, the one with most spans first.",
      args: { timeRange: t.arg({ type: TimeRange }) },
      resolve: async ({ id }, { timeRange }, call) => (await call.load(usage.listUsage, id, rangeOf(timeRange))) ?? [],
    }),
  }));
}
