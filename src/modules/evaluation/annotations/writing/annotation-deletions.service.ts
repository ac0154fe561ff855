// Annotations of a project deleted together, a slice at a time.
import { isAdministrator } from "../../../../access/policy.ts";
import { authorIdOf } from "../../../../access/principal.ts";
import type { Range } from "../../../../storage/period.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import type { ProjectsService } from "../../../tracing/projects/projects.service.ts";
import type { TargetKind } from "../annotation-targets.rules.ts";
import { periodEmpty, periodNeeded } from "../annotations.errors.ts";
import type { DeletionQuery } from "../annotations.schema.ts";
import type { AnnotationFilter, AnnotationsStore } from "../annotations.store.ts";

/** Rows removed in one statement at most. */
const SLICE = 1000;

interface AnnotationDeletionsDependencies {
  readonly store: AnnotationsStore;
  readonly projects: ProjectsService;
}

export interface AnnotationDeletions {
  /** Those of a project that match; of callers who are no administrators only their own. Throws kind `invalid` without a period,
   *  unless all are meant. */
  deleteAnnotations(
    context: CallContext,
    kind: TargetKind,
    projectIdentifier: string,
    query: DeletionQuery,
  ): Promise<void>;
  /** Everybody's of one name in a project; answers with how many there were. The range is of the time that they were made, or of the
   *  start of their target. */
  deleteNamed(
    context: CallContext,
    kind: TargetKind,
    projectIdentifier: string,
    named: { readonly name: string; readonly range: Range; readonly by: "created" | "started" },
  ): Promise<number>;
}

export function createAnnotationDeletions({ store, projects }: AnnotationDeletionsDependencies): AnnotationDeletions {
  /** Answers with how many there were. */
  async function removeAll(context: CallContext, kind: TargetKind, filter: AnnotationFilter): Promise<number> {
    let removed = 0;
    for (let after = 0; ; ) {
      const ids = await store.listIds(context, kind, filter, { after, limit: SLICE });
      await store.remove(context, kind, ids);
      removed += ids.length;
      if (ids.length < SLICE) return removed;
      after = ids.at(-1)!;
    }
  }

  return {
    async deleteAnnotations(context, kind, projectIdentifier, query) {
      const { start_time: from, end_time: before } = query;
      if (!query.delete_all && (from === undefined || before === undefined)) throw periodNeeded();
      if (from !== undefined && before !== undefined && from >= before) throw periodEmpty();
      const { id: projectId } = await projects.getProject(context, projectIdentifier);
      const filter: AnnotationFilter = {
        ...everyAnnotation(projectId),
        names: query.name === undefined ? null : [query.name],
        identifiers: query.identifier === undefined ? null : [query.identifier],
        annotatorKind: query.annotator_kind ?? null,
        userId: isAdministrator(context.principal) ? null : authorIdOf(context.principal),
        createdFromUs: from ?? null,
        createdBeforeUs: before ?? null,
      };
      await removeAll(context, kind, filter);
    },

    async deleteNamed(context, kind, projectIdentifier, { name, range, by: measured }) {
      const { id: projectId } = await projects.getProject(context, projectIdentifier);
      const within =
        measured === "created"
          ? { createdFromUs: range.startUs, createdBeforeUs: range.endUs }
          : { startedFromUs: range.startUs, startedBeforeUs: range.endUs };
      return removeAll(context, kind, { ...everyAnnotation(projectId), names: [name], ...within });
    },
  };
}

/** Every annotation of a project. */
export function everyAnnotation(projectId: number): AnnotationFilter {
  return {
    projectId,
    ownerIds: null,
    identifiers: null,
    names: null,
    otherNames: null,
    annotatorKind: null,
    userId: null,
    createdFromUs: null,
    createdBeforeUs: null,
    startedFromUs: null,
    startedBeforeUs: null,
  };
}
