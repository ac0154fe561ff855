// The request of `POST /v1/spans`, and what its queries ask for once they are read.
import { Type } from "@sinclair/typebox";
import { AnyObject, Instant, Nullable } from "../../../../kernel/schema.ts";

const projectName = Type.Optional(Type.String({ description: "Name of the project; none asks the default project." }));

export const SpanTablesParameters = Type.Object({ project_name: projectName, "project-name": projectName });

const instant = (description: string) => Type.Optional(Nullable(Instant(), { description }));

export const SpanTablesBody = Type.Object({
  queries: Type.Array(
    AnyObject({
      description:
        "Each member optional: `select` {label: {key}}, `filter` {condition}, `explode` {key, kwargs, primary_index_key}, `concat` {key, kwargs, separator}, `rename` {old: new}, `index` {key}.",
    }),
  ),
  start_time: instant("Spans that started at or after this time."),
  end_time: instant("Spans that started before this time."),
  stop_time: instant("The old name of `end_time`."),
  limit: Type.Integer({
    minimum: 0,
    default: 1000,
    description: "Spans of each query. With `explode` and `concat` those without a row are not counted.",
  }),
  root_spans_only: Type.Optional(Nullable(Type.Boolean(), { description: "A condition does the same." })),
  orphan_span_as_root_span: Type.Boolean({
    default: true,
    description: "Whether a span whose parent is missing is a root.",
  }),
  project_name: Type.Optional(Nullable(Type.String())),
});

/** A key of a query: a built-in name, else a path into the attributes (`filter/projection.ts`). */
export interface Projection {
  readonly name: string | null;
  readonly path: readonly (string | number)[];
}

interface Labelled {
  readonly label: string;
  readonly projection: Projection;
}

/** Members of an element: the label of each and the steps down to it. Empty: the whole element. */
export type Members = readonly { readonly label: string; readonly path: readonly string[] }[];

export interface Explosion {
  readonly projection: Projection;
  readonly members: Members;
  readonly positionLabel: string;
}

export interface Concatenation extends Labelled {
  readonly members: Members;
  readonly separator: string;
}

/** What the rows of a table are, whichever spans they are of. */
export interface TableShape {
  readonly index: Labelled;
  readonly select: readonly Labelled[];
  readonly explode: Explosion | null;
  readonly concat: Concatenation | null;
  /** Final names of columns. */
  readonly rename: ReadonlyMap<string, string>;
}
