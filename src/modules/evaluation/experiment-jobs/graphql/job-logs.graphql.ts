// What went wrong in experiments of the server, in GraphQL.
import type { GraphqlTypes } from "../../../../graphql/types.ts";
import { globalId } from "../../../../kernel/ids.ts";
import {
  EXPERIMENT_LOG,
  type ExperimentLog,
  entryLevels,
  type LogDetail,
  logCategories,
} from "../experiment-jobs.schema.ts";
import { retryReason } from "../running/job-failures.rules.ts";

type TaskItem = LogDetail & { readonly exampleId: number; readonly repetition: number };
type EvaluationItem = LogDetail & { readonly runId: number; readonly datasetEvaluatorId: number };
type ExhaustedDetail = LogDetail & { readonly retries: number };

export function addLogTypes(types: GraphqlTypes): void {
  const { builder } = types;
  const Task = builder.objectRef<TaskItem>("TaskWorkItemId").implement({
    fields: (t) => ({
      datasetExampleId: t.int({ description: "The number in its id.", resolve: ({ exampleId }) => exampleId }),
      repetitionNumber: t.int({ resolve: ({ repetition }) => repetition }),
    }),
  });
  const Evaluation = builder.objectRef<EvaluationItem>("EvalWorkItemId").implement({
    fields: (t) => ({
      experimentRunId: t.int({ description: "The number in its id.", resolve: ({ runId }) => runId }),
      datasetEvaluatorId: t.int({ resolve: ({ datasetEvaluatorId }) => datasetEvaluatorId }),
    }),
  });
  const WorkItem = builder.unionType("ExperimentLogWorkItemId", {
    types: [Task, Evaluation],
    resolveType: (item) => (isTask(item) ? "TaskWorkItemId" : "EvalWorkItemId"),
  });
  const Failed = builder.objectRef<LogDetail>("FailureDetail").implement({
    fields: (t) => ({
      workItem: t.field({ type: WorkItem, nullable: true, resolve: workItem }),
      errorType: t.string({ resolve: ({ code }) => code }),
    }),
  });
  const Exhausted = builder.objectRef<ExhaustedDetail>("RetriesExhaustedDetail").implement({
    fields: (t) => ({
      workItem: t.field({ type: WorkItem, nullable: true, resolve: workItem }),
      retryCount: t.int({ resolve: ({ retries }) => retries }),
      reason: t.string({ resolve: ({ code }) => retryReason(code) }),
    }),
  });
  const Detail = builder.unionType("ExperimentLogDetail", {
    types: [Failed, Exhausted],
    resolveType: ({ retries }) => (retries === null ? "FailureDetail" : "RetriesExhaustedDetail"),
  });
  const Category = builder.enumType("ExperimentLogCategory", { values: logCategories });
  const Level = builder.enumType("ExperimentLogLevel", { values: entryLevels });
  types.ref<ExperimentLog>(EXPERIMENT_LOG).implement({
    fields: (t) => ({
      id: t.id({ resolve: ({ id }) => globalId(EXPERIMENT_LOG, id) }),
      occurredAt: t.field({ type: "DateTime", resolve: ({ occurredUs }) => occurredUs }),
      category: t.field({ type: Category, resolve: ({ category }) => category }),
      level: t.field({ type: Level, resolve: ({ level }) => level }),
      message: t.exposeString("message"),
      detail: t.field({
        type: Detail,
        nullable: true,
        description: "Null for what concerns the experiment as a whole.",
        resolve: ({ detail }) => detail as ExhaustedDetail | null,
      }),
    }),
  });
}

function isTask(item: LogDetail): item is TaskItem {
  return item.exampleId !== null;
}

function workItem(detail: LogDetail): TaskItem | EvaluationItem | null {
  if (isTask(detail)) return detail;
  return detail.runId === null ? null : (detail as EvaluationItem);
}
