// What an upload is made of, for the documentation: the bodies are read by rules of their own.
import { Type } from "@sinclair/typebox";
import { AnyObject, Nullable, Words } from "../../../../kernel/schema.ts";

const action = Type.Optional(
  Words(["create", "append", "update"], {
    description:
      "`create` fails when the dataset exists, `append` adds, `update` makes the dataset equal to what is sent.",
  }),
);
export const JsonUpload = Type.Object({
  name: Type.String(),
  action,
  description: Type.Optional(Type.String()),
  inputs: Type.Array(AnyObject()),
  outputs: Type.Optional(Type.Array(AnyObject())),
  metadata: Type.Optional(Type.Array(AnyObject())),
  splits: Type.Optional(Type.Array(Type.Union([Type.String(), Type.Array(Type.String()), Type.Null()]))),
  span_ids: Type.Optional(Type.Array(Nullable(Type.String()))),
  example_ids: Type.Optional(Type.Array(Nullable(Type.String()))),
});

const columns = (description: string) => Type.Array(Type.String(), { description });
const column = (description: string) => Type.Optional(Type.String({ description }));
export const FileUpload = Type.Object({
  name: Type.String(),
  action,
  description: column("Without one the name of the file."),
  "input_keys[]": columns("Columns that make the input, each in a part of its own."),
  "output_keys[]": columns("Columns that make the output."),
  "metadata_keys[]": Type.Optional(columns("Columns that make the metadata.")),
  split_key: column("Column of names of splits."),
  "split_keys[]": Type.Optional(columns("Columns of one name of a split each.")),
  span_id_key: column("Column of ids of spans."),
  example_id_key: column("Column of the sender's own ids."),
  "flatten_keys[]": Type.Optional(columns("Columns of objects whose members are spread.")),
  file: Type.Unsafe<string>({ type: "string", format: "binary", description: "The last part." }),
});
