// The use cases of annotation configurations. Who may call them is decided by the policy before.
import type { PlacedPage, SortedRequest } from "../../../kernel/list.ts";
import type { OptimizationDirection } from "../../../model/annotation.ts";
import { duplicateAs } from "../../../storage/duplicate.ts";
import type { NameSort } from "../../../storage/list.ts";
import type { CallContext, Storage } from "../../../storage/storage.ts";
import type { ProjectsService } from "../../tracing/projects/projects.service.ts";
import { findConfigId, requireConfigId, requireContent, requireFreeName } from "./annotation-config-content.rules.ts";
import { configNameTaken, configNotFound } from "./annotation-configs.errors.ts";
import type { AnnotationConfig, NewAnnotationConfig } from "./annotation-configs.schema.ts";
import type { AnnotationConfigsStore, ConfigKey } from "./annotation-configs.store.ts";
import type { ConfigAssignmentsStore } from "./config-assignments.store.ts";

interface AnnotationConfigsDependencies {
  readonly store: AnnotationConfigsStore;
  readonly assignments: ConfigAssignmentsStore;
  readonly storage: Pick<Storage, "transaction">;
  readonly projects: ProjectsService;
}

export interface AnnotationConfigsService {
  listConfigs: AnnotationConfigsStore["list"];
  /** Those that projects have, by row id of the project; `names` null is all. */
  listOfProjects: AnnotationConfigsStore["listOfProjects"];
  /** The same of one project. Throws kind `not_found`. */
  listOfProject(
    context: CallContext,
    projectIdentifier: string,
    request: SortedRequest<NameSort>,
  ): Promise<PlacedPage<AnnotationConfig>>;
  findByNames(context: CallContext, names: readonly string[]): Promise<AnnotationConfig[]>;
  /** By row id. */
  findConfigs(context: CallContext, ids: readonly number[]): Promise<Map<number, AnnotationConfig>>;
  /** Which scores are the better ones, by name; a name without a configuration is left out. */
  findDirections(context: CallContext, names: readonly string[]): Promise<Map<string, OptimizationDirection>>;
  /** Of the configuration of that name; false where there is none. */
  setDirection(context: CallContext, name: string, direction: OptimizationDirection): Promise<boolean>;
  /** By global id of any type of configuration, or by name. Throws kind `not_found`. */
  getConfig(context: CallContext, identifier: string): Promise<AnnotationConfig>;
  /** Throws kind `conflict` for a name that is taken or reserved, `malformed` for a wrong content. */
  createConfig(context: CallContext, config: NewAnnotationConfig): Promise<AnnotationConfig>;
  /** Replaces everything but the row id. Throws as `createConfig`, and for the id as `deleteConfigs`. */
  updateConfig(context: CallContext, id: string, config: NewAnnotationConfig): Promise<AnnotationConfig>;
  /** All or none, in the order of the ids. Annotations of their names stay. Throws kind `invalid` for a text that is no id,
   *  `malformed` for the id of something else, `not_found`. */
  deleteConfigs(context: CallContext, ids: readonly string[]): Promise<AnnotationConfig[]>;
  /** Makes the configuration of users' feedback unless one has its name. Called at start. */
  ensureFeedbackConfig(context: CallContext): Promise<void>;
}

const feedback: NewAnnotationConfig = {
  name: "user_feedback",
  type: "CATEGORICAL",
  description: "What users of the application say about its answers",
  optimizationDirection: "MAXIMIZE",
  values: [
    { label: "positive", score: 1 },
    { label: "negative", score: 0 },
  ],
};

function keyOf(identifier: string): ConfigKey {
  const id = findConfigId(identifier);
  return id === null ? { name: identifier } : { id };
}

export function createAnnotationConfigsService(dependencies: AnnotationConfigsDependencies): AnnotationConfigsService {
  const { store, assignments, storage, projects } = dependencies;

  async function getConfig(context: CallContext, identifier: string): Promise<AnnotationConfig> {
    const config = await store.find(context, keyOf(identifier));
    if (config === null) throw configNotFound(identifier);
    return config;
  }

  async function findConfigs(context: CallContext, ids: readonly number[]): Promise<Map<number, AnnotationConfig>> {
    return new Map((await store.findAll(context, ids)).map((config) => [config.id, config]));
  }

  return {
    getConfig,
    findConfigs,
    findDirections: store.findDirections,
    setDirection: store.setDirection,

    listConfigs: store.list,
    listOfProjects: store.listOfProjects,
    findByNames: store.findByNames,

    async listOfProject(context, projectIdentifier, request) {
      const { id } = await projects.getProject(context, projectIdentifier);
      return (await store.listOfProjects(context, [id], { ...request, names: null })).get(id)!;
    },

    async createConfig(context, config) {
      requireFreeName(config);
      requireContent(config);
      const created = await store.insert(context, config);
      if (created === null) throw configNameTaken(config.name);
      return created;
    },

    async updateConfig(context, id, config) {
      requireFreeName(config);
      const rowId = requireConfigId(id);
      requireContent(config);
      const updated = await store.update(context, rowId, config).catch(duplicateAs(() => configNameTaken(config.name)));
      if (updated === null) throw configNotFound(id);
      return updated;
    },

    async deleteConfigs(context, ids) {
      const rowIds = ids.map(requireConfigId);
      return storage.transaction(context, async (inner) => {
        await assignments.lockChanges(inner);
        await assignments.lockProjects(inner, await assignments.listProjectsWith(inner, rowIds));
        const removed = new Map((await store.remove(inner, rowIds)).map((config) => [config.id, config]));
        return ids.map((id, position) => {
          const config = removed.get(rowIds[position]!);
          if (config === undefined) throw configNotFound(id);
          return config;
        });
      });
    },

    async ensureFeedbackConfig(context) {
      // Looked for first: most starts then write nothing. Another server may make it just now, which is as good.
      if ((await store.find(context, { name: feedback.name })) === null) await store.insert(context, feedback);
    },
  };
}
