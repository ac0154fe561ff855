// Prompts: texts for models with their versions, found by name and tag.
import { feature } from "../feature.ts";
import { createPromptLabelsService } from "./prompt-labels.service.ts";
import { createPromptLabelsStore } from "./prompt-labels.store.ts";
import { createPromptTagsService } from "./prompt-tags.service.ts";
import { createPromptTagsStore } from "./prompt-tags.store.ts";
import { createPromptVersionsService } from "./prompt-versions.service.ts";
import { createPromptVersionsStore } from "./prompt-versions.store.ts";
import { promptRoutes } from "./prompts.routes.ts";
import { createPromptsService } from "./prompts.service.ts";
import { createPromptsStore } from "./prompts.store.ts";

export const promptsFeature = feature("prompts", ({ storage, clock, settings, identity }) => {
  const store = createPromptsStore(storage.dialect);
  const versionsStore = createPromptVersionsStore(storage.dialect);
  const tags = createPromptTagsService({
    store: createPromptTagsStore(storage.dialect),
    versions: versionsStore,
    prompts: store,
    storage,
    clock,
    protectedTags: settings.protectedPromptTags,
  });
  const prompts = createPromptsService({ store, versions: versionsStore, tags, storage, clock });
  const versions = createPromptVersionsService({ store: versionsStore, prompts });
  const labels = createPromptLabelsService({
    store: createPromptLabelsStore(storage.dialect),
    prompts: store,
    storage,
  });
  return {
    service: { prompts, versions, tags, labels },
    routes: promptRoutes({ prompts, versions, tags }),
    graphql: async () => {
      const { addPromptTypes } = await import("./prompts.graphql.ts");
      return (types) => addPromptTypes(types, { prompts, versions, tags, labels, users: identity.users });
    },
  };
});
