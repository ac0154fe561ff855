// Labels of datasets as services hand them around, what requests send and what the API answers.
import { type Static, Type } from "@sinclair/typebox";
import { globalId, type TypeWord } from "../../../../kernel/ids.ts";
import { cursorParameter, limitParameter, pageOf } from "../../../../kernel/paging.ts";
import { BoundedText, Nullable } from "../../../../kernel/schema.ts";
import { MAX_KEY_BYTES } from "../../../../model/span.ts";

export interface NewDatasetLabel {
  readonly name: string;
  readonly description: string | null;
  /** `#` and six digits of a hexadecimal number, in small letters. */
  readonly color: string;
}

export interface DatasetLabel extends NewDatasetLabel {
  readonly id: number;
}

export const DATASET_LABEL: TypeWord<DatasetLabel> = "DatasetLabel";

export const LABEL_COLOR = "^#([0-9a-f]{6})$";
const name = BoundedText(MAX_KEY_BYTES, { minLength: 1, description: "Unique among labels of datasets." });
const color = Type.String({ pattern: LABEL_COLOR, description: "E.g. `#33c5e8`, in small letters." });

export const NewLabel = Type.Object({
  name,
  color,
  description: Type.Optional(Nullable(Type.String())),
});
export const LabelChanges = Type.Object({
  name: Type.Optional(Nullable(name)),
  color: Type.Optional(Nullable(color)),
  description: Type.Optional(Nullable(Type.String())),
});
export type LabelChanges = Static<typeof LabelChanges>;
export const LabelQuery = Type.Object({ cursor: cursorParameter, limit: limitParameter({ default: 100 }) });
export const LabelsOfDataset = Type.Object({
  dataset_label_ids: Type.Optional(Type.Array(Type.String(), { default: [] })),
});

const LabelAnswer = Type.Object(
  { id: Type.String(), name: Type.String(), description: Nullable(Type.String()), color: Type.String() },
  { $id: "DatasetLabel" },
);
export const LabelPageAnswer = pageOf(LabelAnswer);
export const LabelsAnswer = Type.Object({ data: Type.Array(LabelAnswer) });
export const OneLabel = Type.Object({ data: LabelAnswer });

export function labelBody({ id, name: called, description, color: shown }: DatasetLabel): Static<typeof LabelAnswer> {
  return { id: globalId(DATASET_LABEL, id), name: called, description, color: shown };
}
