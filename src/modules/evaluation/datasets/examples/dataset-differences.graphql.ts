// What differs between two versions of a dataset, in GraphQL.
import { argumentRefused, type Connection, pageConnection, readStart } from "../../../../graphql/connection.ts";
import { requireRowId } from "../../../../graphql/ids.ts";
import type { GraphqlTypes } from "../../../../graphql/types.ts";
import { pageOfRows, rowsWanted } from "../../../../kernel/list.ts";
import { versionNotFound } from "../datasets.errors.ts";
import { DATASET, DATASET_VERSION, type DatasetVersion, EXAMPLE, type ExampleDifference } from "../datasets.schema.ts";
import type { DatasetsService } from "../datasets.service.ts";

interface VersionDifference {
  readonly from: DatasetVersion;
  readonly to: DatasetVersion;
}

interface DifferingExample extends VersionDifference {
  readonly exampleId: number;
  readonly kind: ExampleDifference;
}

const ORDER = "arrivalAsc";
const MOST_FIRST = 1000;
const kinds = ["ADDED", "CHANGED", "REMOVED"] as const satisfies readonly ExampleDifference[];

export function addDatasetDifferences(types: GraphqlTypes, datasets: DatasetsService): void {
  const { builder } = types;
  const Kind = builder.enumType("DatasetDifferenceKind", { values: kinds });
  const Differing = builder.objectRef<DifferingExample>("DatasetDifferingExample").implement({
    fields: (t) => ({
      kind: t.field({ type: Kind, resolve: ({ kind }) => kind }),
      example: t.field({
        type: types.ref(EXAMPLE),
        description: "Its revision at both versions has the content before and after.",
        resolve: ({ exampleId }, _given, call) => call.loadExisting(datasets.findExamples, exampleId),
      }),
    }),
  });
  const Edge = builder.objectRef<{ readonly cursor: string; readonly node: DifferingExample }>(
    "DatasetDifferingExampleEdge",
  );
  Edge.implement({
    fields: (t) => ({
      cursor: t.exposeString("cursor"),
      node: t.field({ type: Differing, resolve: ({ node }) => node }),
    }),
  });
  const DifferingConnection = builder
    .objectRef<Connection<DifferingExample>>("DatasetDifferingExampleConnection")
    .implement({
      fields: (t) => ({
        edges: t.field({ type: [Edge], resolve: ({ edges }) => [...edges] }),
        pageInfo: t.field({ type: types.PageInfo, resolve: ({ pageInfo }) => pageInfo }),
      }),
    });
  const Difference = builder.objectRef<VersionDifference>("DatasetVersionDifference").implement({
    description: "By the content of examples, whatever came between the two versions.",
    fields: (t) => ({
      counts: t.field({
        type: builder
          .objectRef<{ readonly added: number; readonly changed: number; readonly removed: number }>(
            "DatasetDifferenceCounts",
          )
          .implement({
            fields: (counts) => ({
              added: counts.exposeInt("added"),
              changed: counts.exposeInt("changed"),
              removed: counts.exposeInt("removed"),
            }),
          }),
        resolve: (versions, _given, call) => datasets.countDifferences(call.context, versions),
      }),
      examples: t.field({
        type: DifferingConnection,
        description: "In the order of their making.",
        args: {
          first: t.arg.int({ required: true, defaultValue: 50 }),
          after: t.arg.string(),
          kinds: t.arg({ type: [Kind] }),
        },
        resolve: async (versions, { first, after, kinds: wanted }, call, info) => {
          if (first < 1 || first > MOST_FIRST) throw argumentRefused("first", `must be from 1 to ${MOST_FIRST}`);
          const behind = readStart(ORDER, after)?.place.rowId ?? 0;
          const rows = await datasets.listDifferences(call.context, versions, wanted ?? kinds, {
            after: behind,
            limit: rowsWanted(first),
          });
          const page = pageOfRows(
            rows.map((row): DifferingExample => ({ ...versions, ...row })),
            first,
            ({ exampleId }) => ({ value: exampleId, rowId: exampleId }),
          );
          return pageConnection({ call, info }, page, ORDER);
        },
      }),
    }),
  });
  builder.objectField(types.ref(DATASET), "versionDifference", (t) =>
    t.field({
      type: Difference,
      args: { fromVersionId: t.arg.id({ required: true }), toVersionId: t.arg.id({ required: true }) },
      resolve: async ({ id }, { fromVersionId, toVersionId }, call) => {
        const find = async (text: string) => {
          const version = await call.load(datasets.findVersions, requireRowId(DATASET_VERSION, text), null);
          if (version?.datasetId !== id) throw versionNotFound(text);
          return version;
        };
        const [from, to] = await Promise.all([find(fromVersionId), find(toVersionId)]);
        return { from, to };
      },
    }),
  );
}
