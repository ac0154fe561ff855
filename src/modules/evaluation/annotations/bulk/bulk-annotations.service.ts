// One verdict on many targets: on those that are named, or on all of a project that match a condition. The latter goes on batch by batch:
// each is a transaction of its own and answered after its commit, and the next begins behind it. A batch that is asked for again
// writes the same once more, so what a broken connection leaves open is finished by repeating it.
import { parseSessionFilter, parseTraceFilter } from "../../../../filter/filter.ts";
import type { Clock } from "../../../../kernel/clock.ts";
import type { Range } from "../../../../storage/period.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import type { RollupsService } from "../../../../summaries/rollups/rollups.service.ts";
import type { ProjectsService } from "../../../tracing/projects/projects.service.ts";
import type { TargetKind } from "../annotation-targets.rules.ts";
import type { AnnotationOwnersStore } from "../writing/annotation-owners.store.ts";
import { authorshipOf } from "../writing/annotation-places.service.ts";
import type { AnnotationWriting } from "../writing/annotation-writing.service.ts";
import type { BulkAnnotationsStore, MatchingScope } from "./bulk-annotations.store.ts";

/** The annotation that each target gets. All of them share the identifier, by which they can be found and deleted later. */
export interface BulkVerdict {
  readonly name: string;
  readonly identifier: string;
  readonly label: string | null;
  readonly score: number | null;
  readonly explanation: string | null;
}

/** Where a batch ends: targets beyond `after` and up to `upTo` are still to come. Row ids. */
export interface BulkPlace {
  readonly after: number;
  readonly upTo: number;
}

interface BulkRequest {
  readonly projectIdentifier: string;
  /** Of the language of the targets; empty for all. */
  readonly condition: string;
  readonly range: Range;
  /** Null starts from the targets that exist now. */
  readonly place: BulkPlace | null;
  readonly limit: number;
}

export interface BulkAnnotationsService {
  /** Answers with how many were annotated. Targets that are gone are passed over. Throws kind `forbidden` where another user's
   *  annotation stands in the way, when none of the targets is annotated. */
  annotateNamed(
    context: CallContext,
    kind: TargetKind,
    targetIds: readonly number[],
    verdict: BulkVerdict,
  ): Promise<number>;
  /** The next batch, and where it ends; null after the last one. Throws `filter.invalid`, kind `not_found` for the project. */
  annotateMatching(
    context: CallContext,
    kind: TargetKind,
    request: BulkRequest,
    verdict: BulkVerdict,
  ): Promise<{ readonly count: number; readonly next: BulkPlace | null }>;
}

interface BulkAnnotationsDependencies {
  readonly store: BulkAnnotationsStore;
  readonly owners: AnnotationOwnersStore;
  readonly writing: AnnotationWriting;
  readonly projects: ProjectsService;
  readonly rollups: RollupsService;
  readonly clock: Clock;
}

export function createBulkAnnotationsService(dependencies: BulkAnnotationsDependencies): BulkAnnotationsService {
  const { store, owners, writing, projects, rollups, clock } = dependencies;

  async function matchingOf(
    context: CallContext,
    kind: TargetKind,
    projectId: number,
    { condition, range }: BulkRequest,
  ): Promise<MatchingScope> {
    if (kind.owners === "spans") {
      const given = { ...range, spanCondition: condition, sessionCondition: null };
      return { owners: "spans", scope: await rollups.settledScope(context, [projectId], given) };
    }
    const parsed = kind.owners === "traces" ? parseTraceFilter(condition) : parseSessionFilter(condition);
    const filter = await rollups.settledFilter(context, { projectIds: [projectId] }, parsed);
    return { owners: kind.owners, range, filter };
  }

  const annotateNamed: BulkAnnotationsService["annotateNamed"] = async (context, kind, targetIds, verdict) => {
    const targets = [...(await owners.findRows(context, kind, targetIds)).values()];
    const annotation = {
      ...({ ...verdict, annotatorKind: "HUMAN", source: "APP", metadata: "{}", position: -1 } as const),
      ...{ ...authorshipOf(context.principal), saidUs: clock.now() },
    };
    const placed = targets.map((owner) => ({ owner, annotation: { ...annotation, targetKey: owner.key } }));
    return writing.writeThere(context, kind, placed);
  };

  return {
    annotateNamed,

    async annotateMatching(context, kind, request, verdict) {
      const { id: projectId } = await projects.getProject(context, request.projectIdentifier);
      const matching = await matchingOf(context, kind, projectId, request);
      const place = request.place ?? { after: 0, upTo: await store.newestId(context, kind, projectId) };
      const ids = await store.listMatching(context, projectId, matching, { ...place, limit: request.limit });
      const count = ids.length === 0 ? 0 : await annotateNamed(context, kind, ids, verdict);
      const isLast = ids.length < request.limit;
      return { count, next: isLast ? null : { after: ids.at(-1)!, upTo: place.upTo } };
    },
  };
}
