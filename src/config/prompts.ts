// What the operator decides about prompts.
import { type ModelProvider, modelProviders } from "../model/prompt.ts";
import { quoted } from "./findings.ts";
import { accepted, list, type Parsed, refused, setting, type Values } from "./setting.ts";

const TAG = /^[a-z0-9](?:[_a-z0-9-]*[a-z0-9])?$/;

export const promptSettings = {
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
  offeredProviders: setting<readonly ModelProvider[] | null>(
    {
      name: "SERVICE_ALLOWED_PROVIDERS",
      default: null,
      defaultText: "all",
      meaning:
        "Model providers that the prompt editor and `GET /v1/model_providers` offer, in any letter case, separated by commas; `NONE` for none. It hides the others and forbids nothing.",
    },
    "list",
    offeredProviders,
  ),
} as const;

function offeredProviders(value: string): Parsed<readonly ModelProvider[] | null> {
  const names = value
    .split(",")
    .map((name) => name.trim().toUpperCase())
    .filter((name) => name !== "");
  if (names.length === 0) return accepted(null);
  if (names.length === 1 && names[0] === "NONE") return accepted([]);
  const unknown = names.filter((name) => !modelProviders.some((known) => known === name)).sort();
  if (unknown.length === 0) return accepted(modelProviders.filter((known) => names.includes(known)));
  const known = modelProviders.toSorted().join(", ");
  return refused(
    `SERVICE_ALLOWED_PROVIDERS contains unrecognized provider names: ${quoted(unknown.join(", "))}. Valid names are: ${known}`,
  );
}

export type PromptsConfig = Values<typeof promptSettings>;
