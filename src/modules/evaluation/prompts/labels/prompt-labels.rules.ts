// What labels of prompts are. They and prompts are named by row id.
import { globalId } from "../../../../kernel/ids.ts";
import type { LabelKind } from "../../labels/labels.schema.ts";
import { labelNotSet, promptLabelNameTaken, promptLabelNotFound, promptNotFound } from "../prompts.errors.ts";
import { PROMPT, PROMPT_LABEL } from "../prompts.schema.ts";

export const promptLabels: LabelKind<number> = {
  labels: "prompt_labels",
  uses: "prompts_prompt_labels",
  owner: "prompt_id",
  deletingOwners: null,
  hasAuthor: false,
  order: "name",
  rowIdOf: (id) => id,
  nameTaken: promptLabelNameTaken,
  notFound: (id) => promptLabelNotFound(globalId(PROMPT_LABEL, id)),
  ownerNotFound: (id) => promptNotFound(globalId(PROMPT, id)),
  gone: null,
  notCarried: (id) => labelNotSet(globalId(PROMPT_LABEL, id)),
};
