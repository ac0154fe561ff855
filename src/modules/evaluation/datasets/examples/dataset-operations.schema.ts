// Ordered operations on examples as requests send them over REST.
import { type Static, Type } from "@sinclair/typebox";
import { AnyObject, Nullable, Tagged, Words } from "../../../../kernel/schema.ts";
import { exampleNameOf } from "../dataset-content.rules.ts";
import type { ExampleOperation, NamedExample } from "./dataset-operations.rules.ts";

const exampleId = Type.String({ description: "An id of an example, or the sender's own id of one." });

const ExampleOperationBody = Tagged("op", [
  Type.Object({
    op: Type.Literal("add"),
    input: AnyObject(),
    output: AnyObject(),
    metadata: AnyObject(),
    id: Type.Optional(
      Nullable(Type.String({ description: "An id of the sender's own, which no example of the dataset ever had." })),
    ),
  }),
  Type.Object({
    op: Type.Literal("replace"),
    example_id: exampleId,
    field: Words(["input", "output", "metadata"]),
    value: AnyObject(),
  }),
  Type.Object({ op: Type.Literal("remove"), example_id: exampleId }),
]);

export const ExampleOperations = Type.Object({
  operations: Type.Array(ExampleOperationBody, { minItems: 1, description: "Applied in order." }),
  version_description: Type.Optional(Nullable(Type.String())),
  version_metadata: Type.Optional(Nullable(AnyObject({ default: {} }))),
});

export function operationOf(sent: Static<typeof ExampleOperationBody>): ExampleOperation {
  switch (sent.op) {
    case "add": {
      const { input, output, metadata } = sent;
      const externalId = (sent.id ?? "").trim();
      return {
        kind: "add",
        example: { input, output, metadata, externalId: externalId === "" ? null : externalId, spanId: null },
      };
    }
    case "replace":
      return { kind: "replace", named: namedOf(sent.example_id), fields: { [sent.field]: sent.value } };
    case "remove":
      return { kind: "remove", named: namedOf(sent.example_id) };
  }
}

const namedOf = (text: string): NamedExample => ({ ...exampleNameOf(text), text });
