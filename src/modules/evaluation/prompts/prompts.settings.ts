// What the operator decides about prompts.
import { quoted } from "../../../config/findings.ts";
import { groupOfSettings, list } from "../../../config/setting.ts";

const TAG = /^[a-z0-9](?:[_a-z0-9-]*[a-z0-9])?$/;

export const promptSettings = groupOfSettings("Prompts", {
  protectedTags: list({
    name: "SERVICE_PROTECTED_PROMPT_TAGS",
    default: [],
    meaning:
      "Tags of prompt versions that only administrators set or remove, such as `production`; a prompt that has one is deleted by them alone.",
    check: (tag) =>
      TAG.test(tag)
        ? null
        : `SERVICE_PROTECTED_PROMPT_TAGS must hold tag names of lower-case letters, digits, - and _, such as production. Got: ${quoted(tag)}`,
  }),
});
