// Ready-made judges in GraphQL, to begin an evaluator with.
import { optimizationDirectionType } from "../../../../graphql/optimization-direction.ts";
import type { GraphqlTypes } from "../../../../graphql/types.ts";
import { promptMessageType } from "../../prompts/content/prompt-content.graphql.ts";
import { type ClassificationConfig, PROMOTED } from "./classification-config.rules.ts";
import { classificationConfigs } from "./classification-configs.rules.ts";

export function addClassificationConfigs(types: GraphqlTypes): void {
  const { builder } = types;
  const Config = builder.objectRef<ClassificationConfig>("ClassificationEvaluatorConfig").implement({
    description: "A ready-made judge: its prompt, and the labels that it chooses from.",
    fields: (t) => ({
      name: t.exposeString("name"),
      description: t.exposeString("description", { nullable: true }),
      optimizationDirection: t.field({
        type: optimizationDirectionType(types),
        resolve: ({ optimizationDirection }) => optimizationDirection,
      }),
      messages: t.field({
        type: [promptMessageType(types)],
        description: "Mustache.",
        resolve: ({ prompt }) => [{ role: "user" as const, content: prompt }],
      }),
      choices: t.field({
        type: "JSON",
        description: "Labels with the scores that they stand for.",
        resolve: ({ choices }) => ({ ...choices }),
      }),
    }),
  });
  builder.queryField("classificationEvaluatorConfigs", (t) =>
    t.field({
      type: [Config],
      description: `By name. The label "${PROMOTED}" has those that people expect first.`,
      may: "evaluators.read",
      args: { labels: t.arg.stringList({ description: "Those that carry one of them; absent or empty for all." }) },
      resolve: (_root, { labels }) =>
        labels == null || labels.length === 0
          ? [...classificationConfigs]
          : classificationConfigs.filter(({ isPromoted }) => isPromoted && labels.includes(PROMOTED)),
    }),
  );
}
