// Which annotation configurations projects have: those that people judge their traces with.
import { globalId } from "../../../kernel/ids.ts";
import type { CallContext, Storage } from "../../../storage/storage.ts";
import { PROJECT } from "../../tracing/projects/projects.schema.ts";
import type { ProjectsService } from "../../tracing/projects/projects.service.ts";
import { findConfigId, requireConfigId } from "./annotation-config-content.rules.ts";
import {
  alreadyAssigned,
  configNotFound,
  configsUnknown,
  notAConfigId,
  notAssigned,
} from "./annotation-configs.errors.ts";
import type { AnnotationConfig } from "./annotation-configs.schema.ts";
import type { AnnotationConfigsService } from "./annotation-configs.service.ts";
import type { ConfigAssignmentsStore } from "./config-assignments.store.ts";

interface ConfigAssignmentsDependencies {
  readonly store: ConfigAssignmentsStore;
  readonly storage: Pick<Storage, "transaction">;
  readonly configs: AnnotationConfigsService;
  readonly projects: ProjectsService;
}

export interface Assignment {
  readonly projectId: number;
  /** Global id of the configuration. */
  readonly configId: string;
}

export interface ConfigAssignmentsService {
  /** The project then has exactly these, newest first. Throws kind `invalid` for an id that no configuration has. */
  setProjectConfigs(
    context: CallContext,
    projectIdentifier: string,
    ids: readonly string[],
  ): Promise<AnnotationConfig[]>;
  /** Also when the project has it already. */
  assignConfig(context: CallContext, projectIdentifier: string, configIdentifier: string): Promise<AnnotationConfig>;
  /** Also when the project does not have it. */
  unassignConfig(context: CallContext, projectIdentifier: string, configIdentifier: string): Promise<void>;
  /** All or none. Throws kind `conflict` for one that the project has already. */
  addAssignments(context: CallContext, assignments: readonly Assignment[]): Promise<void>;
  /** All or none. Throws kind `not_found` for one that the project does not have. */
  removeAssignments(context: CallContext, assignments: readonly Assignment[]): Promise<void>;
}

export function createConfigAssignmentsService(dependencies: ConfigAssignmentsDependencies): ConfigAssignmentsService {
  const { store, storage, configs, projects } = dependencies;

  /** Runs `work` alone among changes of assignments, with the projects held. Throws kind `not_found` for one that is gone. */
  const changing = <Result>(
    context: CallContext,
    projectIds: readonly number[],
    work: (inner: CallContext) => Promise<Result>,
  ): Promise<Result> =>
    storage.transaction(context, async (inner) => {
      await store.lockChanges(inner);
      await store.lockProjects(inner, projectIds);
      for (const id of projectIds) await projects.getProject(inner, globalId(PROJECT, id));
      return work(inner);
    });

  return {
    async setProjectConfigs(context, projectIdentifier, ids) {
      const rowIds = ids.map((id) => {
        const rowId = findConfigId(id);
        if (rowId === null) throw notAConfigId(id);
        return rowId;
      });
      const project = await projects.getProject(context, projectIdentifier);
      return changing(context, [project.id], async (inner) => {
        const found = await configs.findConfigs(inner, rowIds);
        const unknown = ids.filter((_id, position) => !found.has(rowIds[position]!));
        if (unknown.length > 0) throw configsUnknown(unknown);
        await store.unassignAll(inner, project.id);
        await store.assign(inner, project.id, rowIds);
        return [...found.values()].sort((one, other) => other.id - one.id);
      });
    },

    async assignConfig(context, projectIdentifier, configIdentifier) {
      const project = await projects.getProject(context, projectIdentifier);
      return changing(context, [project.id], async (inner) => {
        const config = await configs.getConfig(inner, configIdentifier);
        await store.assign(inner, project.id, [config.id]);
        return config;
      });
    },

    async unassignConfig(context, projectIdentifier, configIdentifier) {
      const project = await projects.getProject(context, projectIdentifier);
      await changing(context, [project.id], async (inner) => {
        const config = await configs.getConfig(inner, configIdentifier);
        await store.unassign(inner, project.id, [config.id]);
      });
    },

    async addAssignments(context, assignments) {
      const wanted = assignmentsByProject(assignments);
      await changing(context, [...wanted.keys()], async (inner) => {
        for (const [projectId, named] of wanted) {
          const rowIds = named.map(({ rowId }) => rowId);
          const found = await configs.findConfigs(inner, rowIds);
          const added = await store.assign(inner, projectId, rowIds);
          for (const { id, rowId } of named) {
            if (!found.has(rowId)) throw configNotFound(id);
            // Once only, so that the second of two in one list is refused, too.
            if (!added.delete(rowId)) throw alreadyAssigned(id);
          }
        }
      });
    },

    async removeAssignments(context, assignments) {
      const wanted = assignmentsByProject(assignments);
      await changing(context, [...wanted.keys()], async (inner) => {
        for (const [projectId, named] of wanted) {
          const removed = await store.unassign(
            inner,
            projectId,
            named.map(({ rowId }) => rowId),
          );
          for (const { id, rowId } of named) if (!removed.delete(rowId)) throw notAssigned(id);
        }
      });
    },
  };
}

interface NamedConfig {
  readonly id: string;
  readonly rowId: number;
}

/** Throws for an id that is not one of a configuration. */
function assignmentsByProject(assignments: readonly Assignment[]): Map<number, NamedConfig[]> {
  const found = new Map<number, NamedConfig[]>();
  for (const { projectId, configId } of assignments) {
    const configs = found.get(projectId) ?? [];
    configs.push({ id: configId, rowId: requireConfigId(configId) });
    found.set(projectId, configs);
  }
  return found;
}
