// Uploads as one JSON document: lists of inputs, outputs and metadata side by side.
import { isJsonObject, type Json, type JsonObject, NumberRangeError, parseSentJson } from "../../../../kernel/json.ts";
import { storableText } from "../../../../kernel/validation-scalars.ts";
import { MAX_KEY_BYTES } from "../../../../model/span.ts";
import { exampleNameOf, hashedContent } from "../dataset-content.rules.ts";
import { actionRefused, exampleNamedTwice, uploadRefused } from "../datasets.errors.ts";
import type { UploadAction, UploadFacts, UploadRow } from "./upload-parts.rules.ts";

const actions: readonly string[] = ["create", "append", "update"] satisfies UploadAction[];

/** Throws kind `invalid` for what is no action. */
export function actionOf(sent: Json | undefined): UploadAction {
  if (sent === undefined || sent === null || sent === "") return "create";
  const word = typeof sent === "string" ? sent.toLowerCase() : "";
  if (!actions.includes(word)) throw actionRefused(typeof sent === "string" ? sent : JSON.stringify(sent));
  return word as UploadAction;
}

/** Throws kind `invalid` for what no dataset can be named. */
export function uploadNameOf(sent: Json | undefined): string {
  if (typeof sent !== "string" || sent === "") throw uploadRefused("name: must be a text that is not empty");
  const name = storableText(sent);
  if (Buffer.byteLength(name) > MAX_KEY_BYTES) {
    throw uploadRefused(`name: must not be longer than ${MAX_KEY_BYTES} bytes`);
  }
  return name;
}

/** Throws kind `invalid` for a text that is too long to be found by. */
export function requireShort(text: string, place: string): string {
  if (Buffer.byteLength(text) <= MAX_KEY_BYTES) return text;
  throw uploadRefused(`${place}: must not be longer than ${MAX_KEY_BYTES} bytes`);
}

/** The names in a list of splits, without the blanks around them. */
export function splitNames(names: readonly string[], place: string): string[] {
  return names.flatMap((name) => {
    const trimmed = storableText(name).trim();
    return trimmed === "" ? [] : [requireShort(trimmed, place)];
  });
}

/** What the document says, and its rows one after the other. Throws kind `invalid` that names the member. */
export function readJsonUpload(document: Json): { readonly facts: UploadFacts; readonly rows: Iterable<UploadRow> } {
  if (!isJsonObject(document)) throw uploadRefused("The body must be a JSON object");
  const action = actionOf(document.action);
  const name = uploadNameOf(document.name);
  const { description = "" } = document;
  if (description !== null && typeof description !== "string") throw uploadRefused("description: must be a text");
  const inputs = objectsOf(document, "inputs");
  if (inputs === null) throw uploadRefused("inputs: must be a list of objects");
  const count = inputs.length;
  const outputs = besideInputs(objectsOf(document, "outputs"), count, "outputs");
  const metadata = besideInputs(objectsOf(document, "metadata"), count, "metadata");
  const splits = listBeside(document, "splits", count)?.map(splitsOf) ?? null;
  const spanIds = listBeside(document, "span_ids", count)?.map((entry, at) => spanIdOf(entry, at)) ?? null;
  const exampleIds = listBeside(document, "example_ids", count)?.map((entry, at) => exampleIdOf(entry, at)) ?? null;
  requireDifferent(exampleIds ?? []);

  function* rows(): Generator<UploadRow> {
    for (const [at, input] of inputs!.entries()) {
      yield {
        ...hashedContent(input, outputs?.[at] ?? {}, metadata?.[at] ?? {}),
        ...exampleNameOf(exampleIds?.[at] ?? null),
        spanKey: spanIds?.[at] ?? null,
        splits: splits?.[at] ?? [],
      };
    }
  }
  return {
    facts: { name, action, description: storableText(description ?? ""), splitsGiven: splits !== null },
    rows: rows(),
  };
}

function objectsOf(document: JsonObject, member: string): readonly JsonObject[] | null {
  const list = document[member];
  if (list === undefined || list === null) return null;
  if (!Array.isArray(list)) throw uploadRefused(`${member}: must be a list of objects`);
  const wrong = list.findIndex((entry) => !isJsonObject(entry));
  if (wrong >= 0) throw uploadRefused(`${member}[${wrong}]: must be an object`);
  return list as readonly JsonObject[];
}

/** An empty list is as good as none. */
function besideInputs(list: readonly JsonObject[] | null, count: number, member: string): readonly JsonObject[] | null {
  if (list === null || list.length === 0) return null;
  if (list.length !== count) throw wrongLength(member, list.length, count);
  return list;
}

function listBeside(document: JsonObject, member: string, count: number): readonly Json[] | null {
  const list = document[member];
  if (list === undefined || list === null) return null;
  if (!Array.isArray(list)) throw uploadRefused(`${member}: must be a list`);
  if (list.length !== count) throw wrongLength(member, list.length, count);
  return list;
}

function wrongLength(member: string, length: number, count: number) {
  return uploadRefused(`${member}: has ${length} entries, where inputs has ${count}`);
}

function splitsOf(entry: Json, at: number): string[] {
  const place = `splits[${at}]`;
  if (entry === null) return [];
  if (typeof entry === "string") return splitNames([entry], place);
  if (Array.isArray(entry) && entry.every((name) => name === null || typeof name === "string")) {
    return splitNames(
      entry.flatMap((name) => (typeof name === "string" ? name : [])),
      place,
    );
  }
  throw uploadRefused(`${place}: must be a text, a list of texts or null`);
}

function spanIdOf(entry: Json, at: number): string | null {
  if (entry === null) return null;
  if (typeof entry !== "string") throw uploadRefused(`span_ids[${at}]: must be a text or null`);
  const id = storableText(entry).trim();
  return id === "" ? null : id;
}

function exampleIdOf(entry: Json, at: number): string | null {
  if (entry === null) return null;
  if (typeof entry !== "string") throw uploadRefused(`example_ids[${at}]: must be a text or null`);
  return entry.trim() === "" ? null : requireShort(storableText(entry), `example_ids[${at}]`);
}

function requireDifferent(ids: readonly (string | null)[]): void {
  const seen = new Set<string>();
  const repeated = ids.filter((id) => id !== null && (seen.has(id) || !seen.add(id)));
  if (repeated.length > 0) throw exampleNamedTwice([...new Set(repeated)] as string[]);
}

/** JSON that was sent. Throws kind `invalid` that begins with the place, for a number beyond every double and for what is no JSON (`wrong`). */
export function uploadedJson(text: string, place: string, wrong: () => string): Json {
  try {
    return parseSentJson(text);
  } catch (error) {
    throw uploadRefused(`${place}: ${error instanceof NumberRangeError ? error.message : wrong()}`);
  }
}
