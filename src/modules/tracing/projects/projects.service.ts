// The use cases of projects. Who may call them is decided by the policy before; what happens is decided here.
import type { Clock } from "../../../kernel/clock.ts";
import { identified } from "../../../kernel/ids.ts";
import type { CallContext } from "../../../storage/storage.ts";
import {
  defaultProjectProtected,
  projectKeepsFilling,
  projectNameTaken,
  projectNotFound,
  projectOfEvaluator,
} from "./projects.errors.ts";
import { type ColoredProject, PROJECT, type Project, type ProjectChanges } from "./projects.schema.ts";
import type { ProjectKey, ProjectsStore } from "./projects.store.ts";

/** Spans that were on their way when a project was marked may still land in it; after so many rounds another client fills it. */
const EMPTYING_ROUNDS = 10;

interface ProjectsDependencies {
  readonly store: ProjectsStore;
  readonly clock: Clock;
  /** SERVICE_PROJECT_NAME. */
  readonly defaultProjectName: string;
  /** Deletes traces and sessions of a project by slices. */
  readonly deleteProjectContents: (context: CallContext, projectId: number) => Promise<void>;
}

interface EnsuredProject {
  readonly name: string;
  readonly description: string | null;
}

export interface ProjectsService {
  listProjects: ProjectsStore["list"];
  /** By global id or name. Throws kind `not_found`. */
  getProject(context: CallContext, identifier: string): Promise<Project>;
  /** Without those of experiments and evaluators. */
  countProjects(context: CallContext): Promise<number>;
  /** By row id. */
  findProjects(context: CallContext, ids: readonly number[]): Promise<Map<number, Project>>;
  findProjectByName(context: CallContext, name: string): Promise<Project | null>;
  /** By name; one that is not there is left out. */
  findProjectsByName(context: CallContext, names: readonly string[]): Promise<Map<string, Project>>;
  /** Throws kind `conflict` when the name is taken. */
  createProject(context: CallContext, project: ColoredProject): Promise<Project>;
  updateProject(context: CallContext, identifier: string, changes: ProjectChanges): Promise<Project>;
  /** Resolves when everything in the project is gone; repeated after an interruption it finishes the deletion. Throws kind
   *  `forbidden` for the default project, `conflict` for that of a dataset evaluator. */
  deleteProject(context: CallContext, identifier: string): Promise<void>;
  /** Makes the project unless it exists; one that is being deleted stays. */
  ensureProject(context: CallContext, project: EnsuredProject): Promise<Project>;
  /** Called at start. */
  ensureDefaultProject(context: CallContext): Promise<Project>;
}

function keyOf(identifier: string): ProjectKey {
  const named = identified(PROJECT, identifier);
  return "id" in named ? named : { name: named.key };
}

export function createProjectsService(dependencies: ProjectsDependencies): ProjectsService {
  const { store, clock, defaultProjectName } = dependencies;

  async function getProject(context: CallContext, identifier: string): Promise<Project> {
    const project = await store.find(context, keyOf(identifier));
    if (project === null) throw projectNotFound(identifier);
    return project;
  }

  async function ensureProject(context: CallContext, { name, description }: EnsuredProject): Promise<Project> {
    const existing = await store.find(context, { name });
    if (existing !== null) return existing;
    const made = await store.insert(context, { name, description, nowUs: clock.now() });
    if (made !== null) return made;
    // Another server made it just now, or it is being deleted: spans need a home.
    const found = await store.find(context, { name }, { deletingToo: true });
    if (found === null) throw projectNotFound(name);
    await store.markDeleting(context, found.id, false);
    return found;
  }

  return {
    getProject,

    listProjects: store.list,
    countProjects: store.count,

    async findProjects(context, ids) {
      const found = await store.findAll(context, ids);
      return new Map(found.map((project) => [project.id, project]));
    },

    findProjectByName: (context, name) => store.find(context, { name }),
    findProjectsByName: async (context, names) =>
      new Map((await store.findAllByName(context, names)).map((project) => [project.name, project])),

    async createProject(context, { name, description = null, gradient_start_color, gradient_end_color }) {
      const project = await store.insert(context, {
        name,
        description,
        nowUs: clock.now(),
        ...(gradient_start_color === undefined ? {} : { gradientStartColor: gradient_start_color }),
        ...(gradient_end_color === undefined ? {} : { gradientEndColor: gradient_end_color }),
      });
      if (project === null) throw projectNameTaken(name);
      return project;
    },

    async updateProject(context, identifier, changes) {
      const { id } = await getProject(context, identifier);
      const { description, gradient_start_color, gradient_end_color } = changes;
      const updated = await store.update(context, id, {
        nowUs: clock.now(),
        ...(typeof description === "string" ? { description } : {}),
        ...(gradient_start_color === undefined ? {} : { gradientStartColor: gradient_start_color }),
        ...(gradient_end_color === undefined ? {} : { gradientEndColor: gradient_end_color }),
      });
      if (updated === null) throw projectNotFound(identifier);
      return updated;
    },

    async deleteProject(context, identifier) {
      const project = await store.find(context, keyOf(identifier), { deletingToo: true });
      if (project === null) throw projectNotFound(identifier);
      if (project.name === defaultProjectName) throw defaultProjectProtected(project.name);
      const evaluator = await store.findEvaluator(context, project.name);
      if (evaluator !== null) throw projectOfEvaluator(project.name, evaluator);
      await store.markDeleting(context, project.id, true);
      for (let round = 0; round < EMPTYING_ROUNDS; round++) {
        await dependencies.deleteProjectContents(context, project.id);
        if (await store.removeIfEmpty(context, project.id)) return;
        if ((await store.find(context, { id: project.id }, { deletingToo: true })) === null) return;
      }
      throw projectKeepsFilling(project.name);
    },

    ensureProject,
    ensureDefaultProject: (context) =>
      ensureProject(context, { name: defaultProjectName, description: "Default project" }),
  };
}
