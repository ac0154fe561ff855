// The use cases of saved views. A private view exists for its owner alone; one for everybody is changed by who saved it
// and by administrators.
import { isAdministrator, requireAllowed } from "../../../access/policy.ts";
import { authorIdOf, type Principal } from "../../../access/principal.ts";
import type { Clock } from "../../../kernel/clock.ts";
import { globalId } from "../../../kernel/ids.ts";
import { duplicateAs } from "../../../storage/duplicate.ts";
import type { CallContext, Storage } from "../../../storage/storage.ts";
import { PROJECT, type Project } from "../projects/projects.schema.ts";
import type { ProjectsService } from "../projects/projects.service.ts";
import { viewQuery } from "./view-address.rules.ts";
import {
  foreignStart,
  notOwnView,
  notYourView,
  privateStart,
  privateToNobody,
  startStaysShared,
  tooManyViews,
  viewNameTaken,
  viewNotFound,
} from "./views.errors.ts";
import type { NewView, SavedView, ViewChanges, ViewPatch } from "./views.schema.ts";
import type { ViewsStore } from "./views.store.ts";

/** Of a project for everybody, and of each person in it. */
export const MAX_VIEWS = 100;

interface ViewsDependencies {
  readonly store: ViewsStore;
  readonly storage: Pick<Storage, "transaction">;
  readonly projects: ProjectsService;
  readonly clock: Clock;
}

export interface ViewsService {
  /** What the caller sees of each project, by name. */
  listOfProjects(context: CallContext, projectIds: readonly number[]): Promise<Map<number, readonly SavedView[]>>;
  /** What each project opens with. */
  findStarts(context: CallContext, projectIds: readonly number[]): Promise<Map<number, SavedView>>;
  /** Those of them that the caller sees. */
  findViews(context: CallContext, ids: readonly number[]): Promise<Map<number, SavedView>>;
  /** Name and query must have passed their rules. Throws kind `conflict` when the name is taken, `invalid` when there are too many. */
  createView(context: CallContext, projectIdentifier: string, view: NewView): Promise<SavedView>;
  /** Throws like `createView`, kind `forbidden` for a shared view of another user, unless the caller is an administrator,
   *  and kind `invalid` for what must stay for everybody. Only who saved a view may make it private again. */
  changeView(context: CallContext, id: number, changes: ViewPatch): Promise<SavedView>;
  /** Throws kind `forbidden` like `changeView`. */
  deleteView(context: CallContext, id: number): Promise<void>;
  /** Null: the project opens as projects do. Throws kind `invalid` for a private view. */
  setStart(context: CallContext, projectIdentifier: string, viewId: number | null): Promise<Project>;
}

export function createViewsService({ store, storage, projects, clock }: ViewsDependencies): ViewsService {
  const seenBy = ({ principal }: CallContext) => ({ by: authorIdOf(principal) });

  /** One that the caller sees. */
  async function getView(context: CallContext, id: number): Promise<SavedView> {
    const [view] = await store.findAll(context, seenBy(context), [id]);
    if (view === undefined) throw viewNotFound(id);
    return view;
  }

  /** One that the caller may change, too. */
  async function getChangeable(context: CallContext, id: number): Promise<SavedView> {
    const view = await getView(context, id);
    if (view.privateTo !== null) return view;
    const { principal } = context;
    requireAllowed(principal, "views.share");
    const isOwn = view.userId !== null && view.userId === authorIdOf(principal);
    if (!isOwn && !isAdministrator(principal)) throw notOwnView(view.name);
    return view;
  }

  async function requireFew(inner: CallContext, projectId: number, privateTo: number | null): Promise<void> {
    if ((await store.count(inner, projectId, privateTo)) >= MAX_VIEWS)
      throw tooManyViews(MAX_VIEWS, privateTo === null);
  }

  /** In one transaction that no other change of views of the project overlaps. */
  async function changing<Result>(
    context: CallContext,
    identifier: string,
    change: (inner: CallContext, project: Project) => Promise<Result>,
  ): Promise<Result> {
    const { id } = await projects.getProject(context, identifier);
    return storage.transaction(context, async (inner) => {
      await store.lockProject(inner, id);
      // Once more, behind the lock: its deletion may have begun.
      return change(inner, await projects.getProject(inner, identifier));
    });
  }

  /** The same for one view that the caller may change, looked at once more behind the lock. */
  async function changingView<Result>(
    context: CallContext,
    id: number,
    change: (inner: CallContext, view: SavedView) => Promise<Result>,
  ): Promise<Result> {
    const { projectId } = await getChangeable(context, id);
    return changing(context, globalId(PROJECT, projectId), async (inner) =>
      change(inner, await getChangeable(inner, id)),
    );
  }

  return {
    async listOfProjects(context, projectIds) {
      const byProject = new Map<number, SavedView[]>(projectIds.map((id) => [id, []]));
      for (const view of await store.listOfProjects(context, seenBy(context), projectIds)) {
        byProject.get(view.projectId)?.push(view);
      }
      return byProject;
    },

    async findStarts(context, projectIds) {
      const starts = await store.findStarts(context, projectIds);
      return new Map(starts.map((view) => [view.projectId, view]));
    },

    async findViews(context, ids) {
      const found = await store.findAll(context, seenBy(context), ids);
      return new Map(found.map((view) => [view.id, view]));
    },

    async createView(context, projectIdentifier, { isShared, ...view }) {
      const { principal } = context;
      if (isShared) requireAllowed(principal, "views.share");
      const userId = authorIdOf(principal);
      if (!isShared && userId === null) throw privateToNobody();
      const privateTo = isShared ? null : userId;
      return changing(context, projectIdentifier, async (inner, project) => {
        await requireFew(inner, project.id, privateTo);
        return store.insert(inner, {
          ...stored(view),
          projectId: project.id,
          privateTo,
          userId,
          nowUs: clock.now(),
        });
      }).catch(duplicateAs(() => viewNameTaken(view.name.trim())));
    },

    async changeView(context, id, { isShared, ...changes }) {
      let name = changes.name ?? "";
      return changingView(context, id, async (inner, view) => {
        name = changes.name ?? view.name;
        const isMoved = isShared !== undefined && isShared !== (view.privateTo === null);
        const owner = isMoved ? { privateTo: movedTo(inner.principal, view, isShared) } : {};
        if (isMoved) await requireFew(inner, view.projectId, owner.privateTo ?? null);
        const changed = await store.update(inner, id, { ...stored(changes), ...owner }, clock.now());
        if (changed === null) throw viewNotFound(id);
        return changed;
      }).catch(duplicateAs(() => viewNameTaken(name.trim())));
    },

    async deleteView(context, id) {
      await changingView(context, id, async (inner) => {
        if (!(await store.remove(inner, id))) throw viewNotFound(id);
      });
    },

    setStart: (context, projectIdentifier, viewId) =>
      changing(context, projectIdentifier, async (inner, project) => {
        if (viewId !== null) {
          const view = await getView(inner, viewId);
          if (view.projectId !== project.id) throw foreignStart();
          if (view.privateTo !== null) throw privateStart();
        }
        await store.setStart(inner, project.id, viewId);
        return project;
      }),
  };
}

/** Whose the view is once it is for everybody, or private again. Throws unless the caller may move it so. */
function movedTo(principal: Principal, { userId, isStart }: SavedView, isShared: boolean): number | null {
  if (isShared) {
    requireAllowed(principal, "views.share");
    return null;
  }
  const caller = authorIdOf(principal);
  if (caller === null) throw privateToNobody();
  if (userId !== caller) throw notYourView();
  if (isStart) throw startStaysShared();
  return caller;
}

/** As it is stored: the name trimmed, the parameters in their order. */
function stored<Changes extends ViewChanges>(changes: Changes): Changes {
  return {
    ...changes,
    ...(changes.name === undefined ? {} : { name: changes.name.trim() }),
    ...(changes.query === undefined ? {} : { query: viewQuery(new URLSearchParams(changes.query)) }),
  };
}
