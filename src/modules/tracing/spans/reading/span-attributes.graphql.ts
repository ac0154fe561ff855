// `Span.attributeTexts`: single attributes for the columns of a list, instead of all of them. A field that exists here only.
import { parseProjection } from "../../../../filter/projection.ts";
import { argumentRefused } from "../../../../graphql/connection.ts";
import type { GraphqlTypes } from "../../../../graphql/types.ts";
import { SPAN } from "../spans.schema.ts";
import type { SpanReadsService } from "./span-reads.service.ts";

const MOST_NAMES = 20;

interface AttributeText {
  readonly name: string;
  readonly text: string | null;
}

export function addSpanAttributes(types: GraphqlTypes, spanReads: SpanReadsService): void {
  const { builder } = types;
  const Text = builder.objectRef<AttributeText>("SpanAttributeText").implement({
    fields: (t) => ({
      name: t.exposeString("name", { description: "As it was asked for." }),
      text: t.exposeString("text", {
        nullable: true,
        description:
          "As conditions compare it, of lists and objects JSON; at most 200 characters. Null where there is none.",
      }),
    }),
  });
  builder.objectField(types.ref(SPAN), "attributeTexts", (t) =>
    t.field({
      type: [Text],
      description: "Attributes by the names that conditions on spans have for them, in the same order.",
      args: { names: t.arg.stringList({ required: true }) },
      async resolve({ id }, { names }, call) {
        if (names.length > MOST_NAMES) throw argumentRefused("names", `at most ${MOST_NAMES}`);
        const paths = names.map((name) => parseProjection(name).path);
        const texts = await call.load(spanReads.readAttributes, id, paths);
        return names.map((name, at) => ({ name, text: texts?.[at] ?? null }));
      },
    }),
  );
}
