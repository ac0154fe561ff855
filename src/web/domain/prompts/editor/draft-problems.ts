// What is wrong with a draft, and where: what the page sees by itself, and what the server refused.
import { isJsonObject, parseJson } from "../../../../kernel/json.ts";
import { parameterFamily, type TemplateFormat } from "../../../../model/prompt.ts";
import { variablesOf } from "../../../../model/template-variables.ts";
import { jsonProblem } from "../../../kit/editor/json-problem.ts";
import type { PageFailure } from "../../../lib/failure.ts";
import { text } from "../../../texts/texts.ts";
import { isName } from "../names.ts";
import { piecesOf } from "../version-parts.ts";
import { type ParameterField, parameterFields } from "./parameter-fields.ts";
import { type PartDraft, type PromptDraft, tagNames } from "./prompt-draft.ts";

/** `name`, `model`, `tools`, `responseFormat`, `tags`, `otherParameters`, or one of the makers below. */
type Problems = ReadonlyMap<string, string>;

export const partPlace = (messageKey: number, part: number) => `message ${messageKey} ${part}`;
export const messagePlace = (messageKey: number) => `message ${messageKey}`;
export const parameterPlace = (name: string) => `parameter ${name}`;
/** Of no field. */
export const ELSEWHERE = "elsewhere";

/** Of a new prompt its name is held, too. */
export function problemsOf(draft: PromptDraft, isNew: boolean): Problems {
  const found = new Map<string, string>();
  const note = (place: string, problem: string | null) => {
    if (problem !== null) found.set(place, problem);
  };
  if (isNew && !isName(draft.name.trim())) note("name", text("prompts.tag.name.wrong"));
  for (const { key, parts } of draft.messages) {
    for (const [position, { kind, source }] of parts.entries()) {
      note(partPlace(key, position), partProblem(kind, source, draft.format));
    }
  }
  if (draft.messages.length === 0) note(ELSEWHERE, text("prompts.editor.messages.none"));
  for (const field of parameterFields[parameterFamily(draft.provider)]) {
    note(parameterPlace(field.name), parameterProblem(field, draft.parameters[field.name] ?? ""));
  }
  for (const place of ["tools", "responseFormat", "otherParameters"] as const) {
    if (draft[place].trim() !== "") note(place, objectProblem(draft[place]));
  }
  const wrongTag = tagNames(draft).find((name) => !isName(name));
  if (wrongTag !== undefined) note("tags", text("prompts.editor.tags.wrong", { name: wrongTag }));
  return found;
}

function partProblem(kind: PartDraft["kind"], source: string, format: TemplateFormat): string | null {
  switch (kind) {
    case "text":
    case "result":
      return unclosedProblem(source, format);
    case "image":
      return /^(https:\/\/.|data:image\/)/.test(source.trim()) ? null : text("prompts.editor.image.wrong");
    case "json":
      return objectProblem(source);
  }
}

/** Names what is opened and never closed, or only by the brackets of another variable. */
export function unclosedProblem(source: string, format: TemplateFormat): string | null {
  const open = piecesOf(source, format).find(({ kind }) => kind === "unclosed");
  const swallowing = variablesOf(source, format).find((name) => name.includes(format === "MUSTACHE" ? "{{" : "{"));
  const name = open?.text ?? (swallowing === undefined ? null : beginningOf(swallowing, format));
  return name === null ? null : text("prompts.editor.unclosed", { name });
}

function beginningOf(swallowing: string, format: TemplateFormat): string {
  const opening = format === "MUSTACHE" ? "{{" : "{";
  return (opening + swallowing.slice(0, swallowing.indexOf(opening))).trim();
}

function objectProblem(source: string): string | null {
  const problem = jsonProblem(source);
  if (problem !== null) return problem.message;
  return isJsonObject(parseJson(source)) ? null : text("prompts.editor.object");
}

function parameterProblem({ kind, required = false }: ParameterField, typed: string): string | null {
  const source = typed.trim();
  if (source === "") return required ? text("prompts.editor.required") : null;
  if (kind === "integer") return /^-?(0|[1-9]\d*)$/.test(source) ? null : text("prompts.editor.integer");
  if (kind === "word") return null;
  return /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(source) ? null : text("prompts.editor.number");
}

/** What the server refused, at the fields that it names. */
export function refusalsOf(failure: PageFailure | null, draft: PromptDraft, isNew: boolean): Problems {
  if (failure === null) return new Map();
  // Without a place it is the name of a new prompt that is taken, or a tag that is protected.
  if (failure.places.length === 0) {
    return new Map([[isNew && failure.kind === "refused" ? "name" : ELSEWHERE, failure.message]]);
  }
  const found = new Map<string, string>();
  for (const { location, message } of failure.places) {
    const { place, rest } = placeOf(location, draft);
    const problem = [inWords(rest), message].filter(Boolean).join(": ");
    found.set(place, [found.get(place), problem].filter(Boolean).join(" "));
  }
  return found;
}

interface Found {
  readonly place: string;
  /** Where inside the field. */
  readonly rest: readonly (string | number)[];
}

function placeOf([part, member, ...rest]: readonly (string | number)[], draft: PromptDraft): Found {
  if (part === "prompt" && member === "name") return { place: "name", rest };
  if (part === "tags") return { place: "tags", rest: [tagNames(draft)[Number(member)] ?? "", ...rest] };
  if (part !== "version") return { place: ELSEWHERE, rest: [part ?? "", member ?? "", ...rest] };
  switch (member) {
    case "model_name":
      return { place: "model", rest };
    case "tools":
      return { place: "tools", rest };
    case "response_format":
      return { place: "responseFormat", rest };
    case "template": {
      // ["chat", "messages", position, …]
      const message = draft.messages[Number(rest[2])];
      return message === undefined
        ? { place: ELSEWHERE, rest }
        : { place: messagePlace(message.key), rest: rest.slice(3) };
    }
    case "invocation_parameters": {
      // [family, family, name, …]
      const [, , name, ...inner] = rest;
      const isField = parameterFields[parameterFamily(draft.provider)].some((field) => field.name === name);
      return isField
        ? { place: parameterPlace(String(name)), rest: inner }
        : { place: "otherParameters", rest: rest.slice(2) };
    }
    default:
      return { place: ELSEWHERE, rest: [member ?? "", ...rest] };
  }
}

/** Words of unions stand twice in a location: as the member and as the branch. */
function inWords(location: readonly (string | number)[]): string {
  return location.filter((step, position) => step !== "" && step !== location[position - 1]).join(".");
}
