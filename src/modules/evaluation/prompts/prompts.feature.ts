// Prompts: texts for models with their versions, found by name and tag.
import type { ActionRows } from "../../../access/policy.ts";
import { givenAccounts } from "../../accounts/users/users.feature.ts";
import { feature } from "../../feature.ts";
import { projectsFeature } from "../../tracing/projects/projects.feature.ts";
import type { Label } from "../labels/labels.schema.ts";
import { createLabelsService } from "../labels/labels.service.ts";
import { createLabelsStore } from "../labels/labels.store.ts";
import { modelProvidersFeature } from "../model-providers/model-providers.feature.ts";
import { promptLabels } from "./labels/prompt-labels.rules.ts";
import { createPromptVersionsService } from "./prompt-versions.service.ts";
import { promptRoutes } from "./prompts.routes.ts";
import { createPromptsService } from "./prompts.service.ts";
import { promptSettings } from "./prompts.settings.ts";
import { createPromptsStore } from "./prompts.store.ts";
import { createPromptUsageService } from "./usage/prompt-usage.service.ts";
import { createPromptUsageStore } from "./usage/prompt-usage.store.ts";
import { createPromptTagsService } from "./versions/prompt-tags.service.ts";
import { createPromptTagsStore } from "./versions/prompt-tags.store.ts";
import { createPromptVersionsStore } from "./versions/prompt-versions.store.ts";

const actions = {
  /** `move_protected`: the tags that the operator named. */
  prompts: { read: "read", change: "write", delete: "write", move_protected: "administer" },
} as const satisfies ActionRows;
type PromptsActions = typeof actions;

declare module "../../../access/policy.ts" {
  interface Actions extends PromptsActions {}
}

export const promptsFeature = feature(
  "prompts",
  { actions, settings: promptSettings },
  ({ storage, clock, own, rollups, use }) => {
    const { users } = use(givenAccounts);
    const { customProviders } = use(modelProvidersFeature);
    const store = createPromptsStore(storage.dialect);
    const versionsStore = createPromptVersionsStore(storage.dialect);
    const tags = createPromptTagsService({
      store: createPromptTagsStore(storage.dialect),
      versions: versionsStore,
      prompts: store,
      storage,
      clock,
      protectedTags: own.protectedTags,
    });
    const prompts = createPromptsService({ store, versions: versionsStore, tags, customProviders, storage, clock });
    const versions = createPromptVersionsService({ store: versionsStore, prompts });
    const labels = createLabelsService({
      kind: promptLabels,
      store: createLabelsStore<Label>(storage.dialect, promptLabels),
      storage,
      owners: { idOf: async (_context, id) => id, lock: store.lock },
    });
    const usage = createPromptUsageService(createPromptUsageStore(storage.dialect), rollups);
    return {
      service: { prompts, versions, tags, labels },
      routes: promptRoutes({ prompts, versions, tags }),
      graphql: async () => {
        const [{ addPromptTypes }, { addPromptUsage }] = await Promise.all([
          import("./prompts.graphql.ts"),
          import("./usage/prompt-usage.graphql.ts"),
        ]);
        return (types) => {
          addPromptTypes(types, { prompts, versions, tags, labels, users, customProviders });
          addPromptUsage(types, usage, use(projectsFeature));
        };
      },
    };
  },
);
