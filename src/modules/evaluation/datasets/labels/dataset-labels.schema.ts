// Labels of datasets as services hand them around, what requests send and what the API answers.
import { type Static, Type } from "@sinclair/typebox";
import { findRowId, globalId, type TypeWord } from "../../../../kernel/ids.ts";
import { cursorParameter, limitParameter, pageOf } from "../../../../kernel/paging.ts";
import { BoundedText, Nullable } from "../../../../kernel/schema.ts";
import { MAX_KEY_BYTES } from "../../../../model/span.ts";
import type { LabelKind, LabelWords } from "../../labels/labels.schema.ts";
import { datasetNotFound, labelNameTaken, labelNotFound, noLabelChange, notAnIdOf } from "../datasets.errors.ts";

/** The color is in small letters. */
export interface DatasetLabel extends LabelWords {
  readonly id: number;
}

export const DATASET_LABEL: TypeWord<DatasetLabel> = "DatasetLabel";

/** The row id in an id of a label. Throws kind `invalid` for any other text. */
export function requireLabelId(id: string): number {
  const rowId = findRowId(DATASET_LABEL, id);
  if (rowId === null) throw notAnIdOf("label of datasets", id);
  return rowId;
}

/** Labels are named by id, datasets by id or name. */
export const datasetLabels: LabelKind<string> = {
  labels: "dataset_labels",
  uses: "dataset_label_uses",
  owner: "dataset_id",
  deletingOwners: "datasets",
  hasAuthor: true,
  order: "newest",
  rowIdOf: requireLabelId,
  nameTaken: labelNameTaken,
  notFound: labelNotFound,
  ownerNotFound: datasetNotFound,
  gone: labelNotFound,
  notCarried: null,
};

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

/** Null leaves a name or color as it is. Throws kind `invalid` when nothing is to be changed. */
export function requireChanges(sent: Static<typeof LabelChanges>): Partial<LabelWords> {
  const changes = {
    ...(typeof sent.name === "string" ? { name: sent.name } : {}),
    ...(typeof sent.color === "string" ? { color: sent.color } : {}),
    ...(sent.description === undefined ? {} : { description: sent.description }),
  };
  if (Object.keys(changes).length === 0) throw noLabelChange();
  return changes;
}

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
