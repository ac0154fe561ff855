// What can be wrong with a prompt, its versions, tags and labels.
import { fail } from "../../../kernel/failure.ts";

export const promptNotFound = (identifier: string) =>
  fail("prompts.not_found", "not_found", `No prompt has the identifier ${identifier}`);

export const promptNameTaken = (name: string) =>
  fail("prompts.name_taken", "conflict", `A prompt named "${name}" exists`);

export const promptInUse = (name: string, evaluator: string) =>
  fail("prompts.in_use", "conflict", `The evaluator "${evaluator}" is made of the prompt ${name}: delete it first`);

export const invalidPromptName = (name: string) =>
  fail(
    "prompts.invalid_name",
    "invalid",
    `Invalid prompt name ${JSON.stringify(name)}: lower-case letters, digits, - and _ only, first and last a letter or digit`,
  );

export const invalidTagName = (name: string) =>
  fail(
    "prompts.invalid_tag",
    "invalid",
    `Invalid tag name ${JSON.stringify(name)}: lower-case letters, digits, - and _ only, first and last a letter or digit`,
  );

export const onlyChats = () =>
  fail("prompts.only_chats", "invalid", "Only CHAT template type is supported for prompts");

export const parametersOfOther = (sent: string, provider: string, expected: string) =>
  fail(
    "prompts.parameters_of_other",
    "invalid",
    `Invocation parameters variant '${sent}' does not match model provider '${provider}' (expected '${expected}').`,
  );

export const labelColorRefused = (color: string) =>
  fail(
    "prompts.label_color_invalid",
    "invalid",
    `color: must be # and six hexadecimal digits, got ${color.slice(0, 100)}`,
  );

export const promptVersionNotFound = (id: string) =>
  fail("prompts.version_not_found", "not_found", `No prompt version has the id ${id}`);

export const promptWithoutVersions = (identifier: string) =>
  fail("prompts.version_not_found", "not_found", `The prompt ${identifier} has no version`);

export const tagNotFound = (name: string) =>
  fail("prompts.tag_not_found", "not_found", `No version is tagged ${JSON.stringify(name)} there`);

export const invalidId = (id: string, what: string) =>
  fail("prompts.invalid_id", "invalid", `${id} is not the id of a ${what}`);

export const tagProtected = (name: string) =>
  fail(
    "prompts.tag_protected",
    "forbidden",
    `The tag "${name}" is protected (SERVICE_PROTECTED_PROMPT_TAGS): only administrators set or remove it`,
  );

export const promptProtected = (tag: string) =>
  fail(
    "prompts.tag_protected",
    "forbidden",
    `The prompt has the protected tag "${tag}" (SERVICE_PROTECTED_PROMPT_TAGS): only administrators delete it`,
  );

export const promptLabelNotFound = (id: string) =>
  fail("prompts.label_not_found", "not_found", `No prompt label has the id ${id}`);

export const promptLabelNameTaken = (name: string) =>
  fail("prompts.label_name_taken", "conflict", `A prompt label named "${name}" exists`);

export const labelNotSet = (id: string) =>
  fail("prompts.label_not_set", "not_found", `The prompt does not carry the label ${id}`);
