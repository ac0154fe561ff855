// Tags of experiments as services hand them around, and what requests send.
import { type Static, Type } from "@sinclair/typebox";
import { globalId, type TypeWord } from "../../../../kernel/ids.ts";
import { Nullable } from "../../../../kernel/schema.ts";

/** A name that points at one experiment of a dataset. */
export interface ExperimentTag {
  readonly id: number;
  readonly datasetId: number;
  readonly name: string;
  readonly experimentId: number;
  readonly description: string | null;
}

export const EXPERIMENT_TAG: TypeWord<ExperimentTag> = "ExperimentTag";

const NAME_PATTERN = "^[a-z0-9]([_a-z0-9-]*[a-z0-9])?$";
const NAME = new RegExp(NAME_PATTERN);
const MAX_NAME_CHARACTERS = 1024;

/** Lower-case letters, digits, `-` and `_`, a letter or digit first and last. */
export function isTagName(text: string): boolean {
  return text.length <= MAX_NAME_CHARACTERS && NAME.test(text);
}

export const NewExperimentTag = Type.Object({
  name: Type.String({ pattern: NAME_PATTERN, maxLength: MAX_NAME_CHARACTERS }),
  description: Type.Optional(Nullable(Type.String())),
});

const TagAnswer = Type.Object(
  { id: Type.String(), name: Type.String(), description: Nullable(Type.String()) },
  { $id: "ExperimentTag" },
);
export const ExperimentTagsAnswer = Type.Object({ data: Type.Array(TagAnswer) });
export const OneExperimentTag = Type.Object({ data: TagAnswer });

export function experimentTagBody({ id, name, description }: ExperimentTag): Static<typeof TagAnswer> {
  return { id: globalId(EXPERIMENT_TAG, id), name, description };
}

/** Points at the experiment that others are compared with. */
export const BASELINE = "baseline";
