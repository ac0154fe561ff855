// Splits as services hand them around, what requests send and what the API answers.
import { type Static, Type } from "@sinclair/typebox";
import { globalId, type TypeWord } from "../../../../kernel/ids.ts";
import { type JsonObject, parseJson } from "../../../../kernel/json.ts";
import { cursorParameter, limitParameter, pageOf } from "../../../../kernel/paging.ts";
import { AnyObject, InstantText, Nullable } from "../../../../kernel/schema.ts";
import { formatInstant } from "../../../../kernel/time.ts";

/** A split, which all datasets share. Instants are microseconds UTC. */
export interface DatasetSplit {
  readonly id: number;
  readonly name: string;
  readonly description: string | null;
  readonly color: string;
  /** JSON text of an object. */
  readonly metadata: string;
  readonly createdUs: number;
  readonly updatedUs: number;
}

/** With the living examples of a dataset that are in it. */
export interface CountedSplit extends DatasetSplit {
  readonly exampleCount: number;
}

export const SPLIT: TypeWord<DatasetSplit> = "DatasetSplit";
export const DEFAULT_SPLIT_COLOR = "#33c5e8";

const exampleIds = (description: string) => Type.Array(Type.String(), { default: [], description });
const own = "Each an id of an example, or the sender's own id of one.";

export const NewSplit = Type.Object({
  name: Type.String({ description: "Read without the blanks around it; unique among splits." }),
  description: Type.Optional(Nullable(Type.String())),
  color: Type.Optional(Nullable(Type.String(), { default: DEFAULT_SPLIT_COLOR })),
  metadata: Type.Optional(AnyObject({ default: {} })),
  example_ids: Type.Optional(exampleIds(own)),
});
export type NewSplit = Static<typeof NewSplit>;

export const SplitChanges = Type.Object({
  name: Type.Optional(Nullable(Type.String())),
  description: Type.Optional(Nullable(Type.String())),
  color: Type.Optional(Nullable(Type.String())),
  metadata: Type.Optional(Nullable(AnyObject())),
  add_example_ids: Type.Optional(exampleIds(own)),
  remove_example_ids: Type.Optional(exampleIds(`${own} One that is in both lists is removed.`)),
});
export type SplitChanges = Static<typeof SplitChanges>;

export const SplitQuery = Type.Object({
  cursor: cursorParameter,
  limit: limitParameter({ default: 10, maximum: 1000 }),
});

const SplitAnswer = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    description: Nullable(Type.String()),
    color: Type.String(),
    metadata: AnyObject(),
    example_count: Type.Integer({ description: "Living examples of this dataset that are in it." }),
    created_at: InstantText(),
    updated_at: InstantText(),
  },
  { $id: "DatasetSplit" },
);
export const SplitPageAnswer = pageOf(SplitAnswer);
export const OneSplit = Type.Object({ data: SplitAnswer });

export function splitBody(split: CountedSplit): Static<typeof SplitAnswer> {
  return {
    id: globalId(SPLIT, split.id),
    name: split.name,
    description: split.description,
    color: split.color,
    metadata: parseJson(split.metadata) as JsonObject,
    example_count: split.exampleCount,
    created_at: formatInstant(split.createdUs),
    updated_at: formatInstant(split.updatedUs),
  };
}
