// Runs with their examples and evaluations: those that still lack an evaluation, and all of them for the export.
import { type Selectable, sql } from "kysely";
import type { PageRequest, PlacedPage } from "../../../../kernel/list.ts";
import type { Dialect } from "../../../../storage/dialect.ts";
import { arrivalOrder, readPage } from "../../../../storage/list.ts";
import type { CallContext, ReadClass } from "../../../../storage/storage.ts";
import type { ExperimentEvaluationsTable } from "../experiments.tables.ts";
import type { EvaluatedRun, ExperimentEvaluation } from "./experiment-evaluations.schema.ts";

/** Where a page of the export begins: behind this repetition of this example. */
interface ExportPlace {
  readonly exampleId: number;
  readonly repetition: number;
}

interface Row {
  readonly id: number;
  readonly exampleId: number;
  readonly repetition: number;
  readonly runOutput: string;
  readonly error: string | null;
  readonly traceKey: string | null;
  readonly startUs: number;
  readonly endUs: number;
  readonly input: string;
  readonly output: string;
  readonly metadata: string;
  readonly revisedUs: number;
}

const columns = [
  "runs.id",
  "runs.example_id as exampleId",
  "runs.repetition",
  "runs.output as runOutput",
  "runs.error",
  "runs.trace_key as traceKey",
  "runs.start_us as startUs",
  "runs.end_us as endUs",
  "contents.input",
  "contents.output",
  "contents.metadata",
  "versions.created_us as revisedUs",
] as const;

export type EvaluatedRunsStore = ReturnType<typeof createEvaluatedRunsStore>;

export function createEvaluatedRunsStore(dialect: Dialect) {
  /** Runs with the content of their examples at the version of the experiment. */
  const runs = (context: CallContext, experimentId: number, readClass: ReadClass = "short") =>
    context.database
      .read(context, readClass)
      .selectFrom("experiment_runs as runs")
      .innerJoin("experiments", "experiments.id", "runs.experiment_id")
      .innerJoin("dataset_revisions as revisions", (join) =>
        join
          .onRef("revisions.dataset_id", "=", "experiments.dataset_id")
          .onRef("revisions.example_id", "=", "runs.example_id")
          .onRef("revisions.version_id", "<=", "experiments.version_id")
          .on(
            sql<boolean>`(revisions.until_version_id is null or revisions.until_version_id > experiments.version_id)`,
          ),
      )
      .innerJoin("dataset_contents as contents", "contents.id", "revisions.content_id")
      .innerJoin("dataset_versions as versions", "versions.id", "revisions.version_id")
      .where("runs.experiment_id", "=", experimentId)
      .where("revisions.hash", "is not", null)
      .select(columns);

  return {
    /** Successful runs of the snapshot that lack one of these evaluations without an error, oldest first. */
    async listIncomplete(
      context: CallContext,
      experimentId: number,
      names: readonly string[],
      request: PageRequest,
    ): Promise<PlacedPage<EvaluatedRun>> {
      const query = runs(context, experimentId, "slow")
        .where("runs.error", "is", null)
        .where(
          sql<boolean>`exists (select 1 from experiment_examples as taken
            where taken.experiment_id = ${experimentId} and taken.example_id = runs.example_id)`,
        )
        .where(
          sql<boolean>`(select count(*) from experiment_evaluations as evaluations where evaluations.run_id = runs.id
            and evaluations.error is null and ${dialect.inList(sql.ref("evaluations.name"), names)}) < ${names.length}`,
        );
      const page = await readPage(query, arrivalOrder(sql.ref("runs.id"), "asc"), request);
      return { ...page, items: (page.items as Row[]).map((row) => evaluatedRun(row, experimentId)) };
    },

    /** By example and repetition. */
    async listForExport(
      context: CallContext,
      experimentId: number,
      behind: ExportPlace | null,
      limit: number,
    ): Promise<EvaluatedRun[]> {
      let query = runs(context, experimentId);
      if (behind !== null) {
        const { exampleId, repetition } = behind;
        query = query.where(
          sql<boolean>`(runs.example_id > ${exampleId} or (runs.example_id = ${exampleId} and runs.repetition > ${repetition}))`,
        );
      }
      const rows = await query.orderBy("runs.example_id").orderBy("runs.repetition").limit(limit).execute();
      return (rows as Row[]).map((row) => evaluatedRun(row, experimentId));
    },

    /** Some of the first runs: those of which nothing is longer than so many characters. */
    async listSample(
      context: CallContext,
      experimentId: number,
      bounds: { readonly runs: number; readonly characters: number },
    ): Promise<EvaluatedRun[]> {
      const documents = ["runs.output", "contents.input", "contents.output", "contents.metadata"];
      let query = runs(context, experimentId).where(
        sql<boolean>`runs.id in (select id from experiment_runs where experiment_id = ${experimentId}
          order by example_id, repetition limit ${bounds.runs})`,
      );
      for (const document of documents)
        query = query.where(sql<boolean>`length(${sql.ref(document)}) <= ${bounds.characters}`);
      return ((await query.execute()) as Row[]).map((row) => evaluatedRun(row, experimentId));
    },

    /** In the order in which the runs by example and repetition have them first. */
    async listEvaluationNames(context: CallContext, experimentId: number): Promise<string[]> {
      const { rows } = await sql<{ readonly name: string }>`
        select name from (
          select evaluations.name, runs.example_id, runs.repetition,
            row_number() over (partition by evaluations.name order by runs.example_id, runs.repetition) as place
          from experiment_runs as runs join experiment_evaluations as evaluations on evaluations.run_id = runs.id
          where runs.experiment_id = ${experimentId}
        ) as places
        where place = 1 order by example_id, repetition, name`.execute(context.database.read(context, "slow"));
      return rows.map(({ name }) => name);
    },

    /** Evaluations of runs, by run, by name. */
    async findEvaluations(
      context: CallContext,
      runIds: readonly number[],
    ): Promise<Map<number, ExperimentEvaluation[]>> {
      const rows = await context.database
        .read(context, "short")
        .selectFrom("experiment_evaluations")
        .selectAll()
        .where(dialect.inList(sql.ref("run_id"), runIds))
        .orderBy("name")
        .execute();
      const evaluations = rows.map(evaluationOfRow);
      return Map.groupBy(evaluations, ({ runId }) => runId);
    },

    async find(context: CallContext, ids: readonly number[]): Promise<Map<number, ExperimentEvaluation>> {
      const rows = await context.database
        .read(context, "short")
        .selectFrom("experiment_evaluations")
        .selectAll()
        .where(dialect.inList(sql.ref("id"), ids))
        .execute();
      return new Map(rows.map((row) => [row.id, evaluationOfRow(row)]));
    },
  };
}

function evaluationOfRow(row: Selectable<ExperimentEvaluationsTable>): ExperimentEvaluation {
  return {
    id: row.id,
    runId: row.run_id,
    name: row.name,
    annotatorKind: row.annotator_kind,
    label: row.label,
    score: row.score,
    explanation: row.explanation,
    error: row.error,
    metadata: row.metadata,
    traceKey: row.trace_key,
    startUs: row.start_us,
    endUs: row.end_us,
  };
}

function evaluatedRun(row: Row, experimentId: number): EvaluatedRun {
  const { id, exampleId, repetition, error, traceKey, startUs, endUs } = row;
  return {
    run: { id, experimentId, exampleId, repetition, output: row.runOutput, error, traceKey, startUs, endUs },
    example: {
      id: exampleId,
      input: row.input,
      output: row.output,
      metadata: row.metadata,
      revisedUs: row.revisedUs,
    },
  };
}
