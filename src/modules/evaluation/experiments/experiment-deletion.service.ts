// Deletes experiments, in steps that may be repeated by any server at any time. Who may ask for it is decided by the policy before.
import type { JobContext } from "../../../jobs/job.ts";
import type { Clock } from "../../../kernel/clock.ts";
import { Failure } from "../../../kernel/failure.ts";
import { globalId } from "../../../kernel/ids.ts";
import type { CallContext } from "../../../storage/storage.ts";
import type { DeletionService } from "../../tracing/deletion/deletion.service.ts";
import type { ProjectsService } from "../../tracing/projects/projects.service.ts";
import type { EvaluationTracePlace, ExperimentDeletionStore } from "./experiment-deletion.store.ts";
import { requireExperimentId } from "./experiment-ids.rules.ts";
import { experimentNotFound } from "./experiments.errors.ts";
import { EXPERIMENT, type Experiment } from "./experiments.schema.ts";

export interface DeletionDependencies {
  readonly deletion: ExperimentDeletionStore;
  readonly clock: Clock;
  readonly projects: ProjectsService;
  readonly traces: Pick<DeletionService, "deleteTraces">;
}

export interface ExperimentDeletions {
  /** Deletes what was dismissed a day ago, with all its traces, and goes on with deletions that were cut off. Resolves to false when more is
   *  left. */
  sweepDismissed(job: JobContext): Promise<boolean>;
  /** Also one whose deletion has begun, so that it can be asked for again. Throws kind `invalid` for a text that is no id, `not_found`. */
  getDeletable(context: CallContext, id: string): Promise<Experiment>;
  /** With its runs and evaluations; `withProject` also with its project and the traces of the evaluators that the server ran on it. Asked
   *  again after a failure, it goes on. Throws as `getDeletable`. */
  deleteExperiment(context: CallContext, id: string, withProject: boolean): Promise<void>;
}

/** A day, in microseconds. */
const DISMISSED_FOR_US = 24 * 3600 * 1_000_000;
/** Earlier versions, which may run beside this one, mark an experiment whose deletion has begun by this time of its dismissal. */
const BEGUN_BY_EARLIER_VERSION_US = 0;
/** The project is gone, or is the default one by now, which stays. */
const WITHOUT_PROJECT: readonly string[] = ["not_found", "forbidden"];

export function experimentDeletions({ deletion, clock, projects, traces }: DeletionDependencies): ExperimentDeletions {
  async function getDeletable(context: CallContext, id: string): Promise<Experiment> {
    const experiment = await deletion.find(context, requireExperimentId(id));
    if (experiment === null) throw experimentNotFound(id);
    return experiment;
  }

  /** They are in the projects of the evaluators, which stay. */
  async function removeEvaluationTraces(context: () => CallContext, id: number, goOn: () => boolean): Promise<void> {
    for (const project of await deletion.listEvaluatorProjects(context(), id)) {
      for (let place: EvaluationTracePlace | null = project; place !== null && goOn(); ) {
        const { own, next } = await deletion.listEvaluationTraces(context(), id, place);
        if (own.length > 0) await traces.deleteTraces(context(), project.projectId, own);
        place = next;
      }
    }
  }

  async function removeBegun(context: () => CallContext, id: number, goOn = () => true): Promise<void> {
    const experiment = await deletion.find(context(), id);
    if (experiment === null) return;
    if (experiment.deletesProject) {
      await projects.deleteProject(context(), experiment.projectName).catch((error: unknown) => {
        if (!(error instanceof Failure && WITHOUT_PROJECT.includes(error.kind))) throw error;
      });
      await removeEvaluationTraces(context, id, goOn);
    }
    while (goOn() && (await deletion.removeSlice(context(), id)));
    if (goOn()) await deletion.remove(context(), id);
  }

  return {
    getDeletable,

    async deleteExperiment(context, id, withProject) {
      const { id: rowId } = await getDeletable(context, id);
      if (!(await deletion.begin(context, rowId, { withProject, nowUs: clock.now() }))) throw experimentNotFound(id);
      await removeBegun(() => context, rowId);
    },

    async sweepDismissed({ context, goOn, attempt }) {
      const dismissedBeforeUs = clock.now() - DISMISSED_FOR_US;
      for (const { id, dismissedUs, deletionBeganUs } of await deletion.list(context(), dismissedBeforeUs)) {
        if (!goOn()) return false;
        await attempt(globalId(EXPERIMENT, id), async () => {
          const withProject = dismissedUs !== BEGUN_BY_EARLIER_VERSION_US;
          const beginning = { withProject, nowUs: clock.now(), dismissedBeforeUs };
          // One that was reinstated meanwhile stays.
          if (deletionBeganUs !== null || (await deletion.begin(context(), id, beginning)))
            await removeBegun(context, id, goOn);
        });
      }
      return goOn();
    },
  };
}
