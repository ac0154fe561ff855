// What the examples of a dataset say at a version. A revision says it from its own version on, until another one replaces it.
import { type RawBuilder, sql } from "kysely";
import type { PageRequest, PlacedPage } from "../../../kernel/list.ts";
import type { Dialect } from "../../../storage/dialect.ts";
import { arrivalOrder, readPage, readPages } from "../../../storage/list.ts";
import type { CallContext, ReadClass } from "../../../storage/storage.ts";
import type {
  DatasetExample,
  DifferenceCounts,
  ExampleDifference,
  ExampleFilter,
  ExampleRevision,
  LivingExample,
} from "./datasets.schema.ts";

interface ExamplesAt extends ExampleFilter {
  /** Null is now. */
  readonly versionId: number | null;
}

export type DatasetExamplesStore = ReturnType<typeof createDatasetExamplesStore>;

/** True for the revisions that say what living examples are at the version, or now. */
const livesAt = (versionId: number | null): RawBuilder<boolean> =>
  versionId === null
    ? sql<boolean>`(revisions.until_version_id is null and revisions.hash is not null)`
    : sql<boolean>`(revisions.version_id <= ${versionId} and revisions.hash is not null
        and (revisions.until_version_id is null or revisions.until_version_id > ${versionId}))`;

export function createDatasetExamplesStore(dialect: Dialect) {
  return { ...livingExamples(dialect), ...exampleRows(dialect), ...exampleDifferences(dialect) };
}

function livingExamples(dialect: Dialect) {
  const living = (
    context: CallContext,
    datasetIds: readonly number[],
    versionId: number | null,
    { splits, text, ids }: ExampleFilter,
    readClass: ReadClass = text === undefined ? "short" : "slow",
  ) => {
    let query = context.database
      .read(context, readClass)
      .selectFrom("dataset_revisions as revisions")
      .where(dialect.inList(sql.ref("revisions.dataset_id"), datasetIds))
      .where(livesAt(versionId));
    if (ids !== undefined) query = query.where(dialect.inList(sql.ref("revisions.example_id"), ids));
    if (splits !== undefined) {
      query = query.where("revisions.example_id", "in", (eb) =>
        eb
          .selectFrom("dataset_split_examples")
          .select("example_id")
          .where(dialect.inList(sql.ref("split_id"), splits)),
      );
    }
    if (text !== undefined) {
      query = query.where("revisions.content_id", "in", (eb) =>
        eb
          .selectFrom("dataset_contents as searched")
          .select("searched.id")
          .whereRef("searched.id", "=", "revisions.content_id")
          .where(
            dialect.containsIgnoringCase(
              sql`searched.input || ' ' || searched.output || ' ' || searched.metadata`,
              text,
            ),
          ),
      );
    }
    return query;
  };

  return {
    /** Living examples at a version, or now, by dataset, in the order of their ids. */
    async listOfDatasets(
      context: CallContext,
      datasetIds: readonly number[],
      { versionId, ...request }: PageRequest & ExamplesAt,
    ): Promise<Map<number, PlacedPage<DatasetExample>>> {
      const listOf = (datasetId: number) =>
        living(context, [datasetId], versionId, request)
          .innerJoin("dataset_examples as examples", "examples.id", "revisions.example_id")
          .select([
            "examples.id",
            "examples.dataset_id as datasetId",
            "examples.external_id as externalId",
            "examples.created_us as createdUs",
          ]);
      return readPages(
        context.database.read(context, request.text === undefined ? "short" : "slow"),
        datasetIds,
        { listOf, ownerOf: ({ datasetId }) => datasetId, itemOf: (example): DatasetExample => example },
        arrivalOrder(sql.ref("revisions.example_id"), "asc"),
        request,
      );
    },

    /** The same of one dataset, with what they say. */
    async list(
      context: CallContext,
      datasetId: number,
      versionId: number,
      filter: ExampleFilter,
      request: PageRequest,
    ): Promise<PlacedPage<LivingExample>> {
      const query = living(context, [datasetId], versionId, filter)
        .innerJoin("dataset_contents as contents", "contents.id", "revisions.content_id")
        .innerJoin("dataset_examples as examples", "examples.id", "revisions.example_id")
        // SQLite would begin with the versions where there are few, and sort all of their revisions.
        .innerJoin("dataset_versions as versions", (join) =>
          join.on(sql<boolean>`versions.id = ${dialect.withoutIndex(sql.ref("revisions.version_id"))}`),
        )
        .leftJoin("dataset_example_spans as links", "links.example_id", "revisions.example_id")
        .leftJoin("spans", "spans.id", "links.span_id")
        .select([
          "revisions.example_id as id",
          "revisions.example_id as exampleId",
          "revisions.dataset_id as datasetId",
          "revisions.version_id as versionId",
          "revisions.kind",
          "examples.external_id as externalId",
          "examples.created_us as createdUs",
          "versions.created_us as revisedUs",
          "contents.input",
          "contents.output",
          "contents.metadata",
          "spans.id as spanId",
          "spans.span_key as spanKey",
        ]);
      const page = await readPage(query, arrivalOrder(sql.ref("revisions.example_id"), "asc"), request);
      return {
        ...page,
        items: page.items.map(({ spanId, spanKey, ...row }) => ({
          ...row,
          span: spanId === null || spanKey === null ? null : { id: spanId, key: spanKey },
        })),
      };
    },

    /** By dataset; one without such examples is left out. */
    async count(
      context: CallContext,
      datasetIds: readonly number[],
      { versionId, ...filter }: ExamplesAt,
    ): Promise<Map<number, number>> {
      const rows = await living(context, datasetIds, versionId, filter, "slow")
        .select((eb) => ["revisions.dataset_id as id", eb.fn.countAll<number>().as("count")])
        .groupBy("revisions.dataset_id")
        .execute();
      return new Map(rows.map(({ id, count }) => [id, Number(count)]));
    },
  };
}

function exampleRows(dialect: Dialect) {
  const wholeRevisions = (context: CallContext) =>
    context.database
      .read(context, "short")
      .selectFrom("dataset_revisions as revisions")
      .innerJoin("dataset_versions as versions", "versions.id", "revisions.version_id")
      .leftJoin("dataset_contents as contents", "contents.id", "revisions.content_id")
      .select([
        "revisions.example_id as exampleId",
        "revisions.version_id as versionId",
        "revisions.kind",
        "versions.created_us as revisedUs",
        "contents.input",
        "contents.output",
        "contents.metadata",
      ]);

  return {
    /** By row id, deleted ones too. */
    async find(context: CallContext, ids: readonly number[]): Promise<Map<number, DatasetExample>> {
      const rows = await context.database
        .read(context, "short")
        .selectFrom("dataset_examples")
        .innerJoin("datasets", "datasets.id", "dataset_examples.dataset_id")
        .select([
          "dataset_examples.id",
          "dataset_examples.dataset_id as datasetId",
          "dataset_examples.external_id as externalId",
          "dataset_examples.created_us as createdUs",
        ])
        .where(dialect.inList(sql.ref("dataset_examples.id"), ids))
        .where("datasets.deleting", "=", 0)
        .execute();
      return new Map(rows.map((row) => [row.id, row]));
    },

    /** By the sender's own id, deleted ones too. */
    async findByExternalIds(
      context: CallContext,
      datasetId: number,
      externalIds: readonly string[],
    ): Promise<Map<string, DatasetExample>> {
      const rows = await context.database
        .read(context, "short")
        .selectFrom("dataset_examples")
        .select(["id", "dataset_id as datasetId", "external_id as externalId", "created_us as createdUs"])
        .where("dataset_id", "=", datasetId)
        .where(dialect.inList(sql.ref("external_id"), externalIds))
        .execute();
      return new Map(rows.map((row) => [row.externalId!, row]));
    },

    /** What examples are at a version, or are now: the newest revision up to it. Deletions have empty objects. */
    async findRevisions(
      context: CallContext,
      exampleIds: readonly number[],
      versionId: number | null,
    ): Promise<Map<number, ExampleRevision>> {
      let query = wholeRevisions(context).where(dialect.inList(sql.ref("revisions.example_id"), exampleIds));
      // An example is of one dataset: its name makes the key of the table complete.
      query = query.where("revisions.dataset_id", "in", (eb) =>
        eb
          .selectFrom("dataset_examples")
          .select("dataset_id")
          .where(dialect.inList(sql.ref("id"), exampleIds)),
      );
      query =
        versionId === null
          ? query.where("revisions.until_version_id", "is", null)
          : query
              .where("revisions.version_id", "<=", versionId)
              .where((eb) =>
                eb.or([eb("revisions.until_version_id", "is", null), eb("revisions.until_version_id", ">", versionId)]),
              );
      const rows = await query.execute();
      return new Map(
        rows.map(({ input, output, metadata, ...row }) => [
          row.exampleId,
          { ...row, input: input ?? "{}", output: output ?? "{}", metadata: metadata ?? "{}" },
        ]),
      );
    },

    /** Spans that examples were made of, by example; those that are gone are left out. */
    async findSpanIds(context: CallContext, exampleIds: readonly number[]): Promise<Map<number, number>> {
      const rows = await context.database
        .read(context, "short")
        .selectFrom("dataset_example_spans")
        .select(["example_id", "span_id"])
        .where(dialect.inList(sql.ref("example_id"), exampleIds))
        .execute();
      return new Map(rows.map((row) => [row.example_id, row.span_id]));
    },

    /** Examples that were made of spans, by span. */
    async findOfSpans(context: CallContext, spanIds: readonly number[]): Promise<Map<number, DatasetExample[]>> {
      const rows = await context.database
        .read(context, "short")
        .selectFrom("dataset_example_spans as links")
        .innerJoin("dataset_examples as examples", "examples.id", "links.example_id")
        .innerJoin("datasets", "datasets.id", "examples.dataset_id")
        .select([
          "links.span_id as spanId",
          "examples.id",
          "examples.dataset_id as datasetId",
          "examples.external_id as externalId",
          "examples.created_us as createdUs",
        ])
        .where(dialect.inList(sql.ref("links.span_id"), spanIds))
        .where("datasets.deleting", "=", 0)
        .orderBy("examples.id")
        .execute();
      return Map.groupBy(rows, ({ spanId }) => spanId);
    },
  };
}

function exampleDifferences(dialect: Dialect) {
  return {
    /** What differs between two versions of a dataset: by the content, whatever came between them. */
    async countDifferences(
      context: CallContext,
      datasetId: number,
      from: number,
      to: number,
    ): Promise<DifferenceCounts> {
      const result = await sql<{ kind: ExampleDifference; count: number }>`
        select kind, count(*) as count from ${differences(datasetId, from, to)} as differing group by kind
      `.execute(context.database.read(context, "slow"));
      const counts = new Map(result.rows.map(({ kind, count }) => [kind, Number(count)]));
      return {
        added: counts.get("ADDED") ?? 0,
        changed: counts.get("CHANGED") ?? 0,
        removed: counts.get("REMOVED") ?? 0,
      };
    },

    /** The same by example, in the order of their ids: those behind one. */
    async listDifferences(
      context: CallContext,
      datasetId: number,
      { from, to, kinds }: { readonly from: number; readonly to: number; readonly kinds: readonly ExampleDifference[] },
      after: number,
      limit: number,
    ): Promise<{ readonly exampleId: number; readonly kind: ExampleDifference }[]> {
      const result = await sql<{ exampleId: number; kind: ExampleDifference }>`
        select example_id as "exampleId", kind from ${differences(datasetId, from, to)} as differing
        where example_id > ${after} and ${dialect.inList(sql.ref("kind"), kinds)}
        order by example_id limit ${limit}
      `.execute(context.database.read(context, "slow"));
      return result.rows;
    },
  };
}

/** The examples that differ, as a table expression of their ids and of how. */
function differences(datasetId: number, from: number, to: number): RawBuilder<unknown> {
  const at = (versionId: number) => sql`(
    select example_id, hash from dataset_revisions as revisions
    where dataset_id = ${datasetId} and ${livesAt(versionId)}
  )`;
  return sql`(
    select after.example_id, case when before.hash is null then 'ADDED' else 'CHANGED' end as kind
    from ${at(to)} as after left join ${at(from)} as before on before.example_id = after.example_id
    where before.hash is null or before.hash <> after.hash
    union all
    select before.example_id, 'REMOVED' as kind
    from ${at(from)} as before left join ${at(to)} as after on after.example_id = before.example_id
    where after.hash is null
  )`;
}
