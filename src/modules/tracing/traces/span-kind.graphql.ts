// The kinds of spans in GraphQL, in its own spelling.
import type { GraphqlTypes } from "../../../graphql/types.ts";
import { type SpanKind, spanKinds } from "../../../model/span.ts";

type Spelling = Lowercase<SpanKind>;

export function spanKindType({ builder, once }: GraphqlTypes) {
  const values = Object.fromEntries(spanKinds.map((kind) => [kind.toLowerCase(), { value: kind }]));
  return once("SpanKind", () =>
    builder.enumType("SpanKind", { values: values as Record<Spelling, { value: SpanKind }> }),
  );
}
