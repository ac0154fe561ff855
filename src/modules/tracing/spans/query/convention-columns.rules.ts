// Attributes as columns: every key of the OpenInference vocabulary is one, other keys stay nested below their first segment,
// as sent. The same holds for the elements of known lists: a message is `{"message.role": …}`.
import { emptyObject, isJsonObject, type Json, type JsonObject, parseJson } from "../../../../kernel/json.ts";

/** Prefix and names of the keys below it. */
const vocabulary: Readonly<Record<string, string>> = {
  "": "annotations evaluations metadata",
  agent: "name",
  annotation: "annotator_kind explanation identifier label metadata name score",
  audio: "mime_type transcript url",
  completion: "text",
  decision: "model_name provider request.model_name response.model_name system token_count.input token_count.output",
  document: "content id metadata mime_type name score url",
  embedding: "embeddings invocation_parameters model_name text vector",
  evaluation: "annotator_kind explanation identifier label metadata name score",
  graph: "node.id node.name node.parent_id",
  image: "url",
  input: "documents images mime_type value",
  llm: "choices finish_reason function_call input_messages invocation_parameters model_name output_messages prompts provider request.model_name response.model_name system tools",
  "llm.cost": "completion completion_details prompt prompt_details total",
  "llm.cost.completion_details": "audio output reasoning",
  "llm.cost.prompt_details": "audio cache_input cache_read cache_write input",
  "llm.prompt_template": "template variables version",
  "llm.token_count": "completion prompt prompt_details total",
  "llm.token_count.completion_details": "audio reasoning",
  "llm.token_count.prompt_details": "audio cache_input cache_read cache_write",
  message: "content contents function_call_arguments_json function_call_name name role tool_call_id tool_calls",
  message_content: "audio data document encrypted_content id image signature text type video",
  openinference: "span.kind",
  output: "documents images mime_type value",
  prompt: "id text url vendor",
  reranker: "input_documents model_name output_documents query top_k",
  retrieval: "documents",
  session: "annotations evaluations id",
  tag: "tags",
  tool: "description id json_schema name parameters",
  tool_call: "function.arguments function.name id reasoning_signature",
  trace: "annotations evaluations",
  user: "id",
  video: "url",
};

const conventions = new Set(
  Object.entries(vocabulary).flatMap(([prefix, names]) =>
    names.split(" ").map((name) => (prefix === "" ? name : `${prefix}.${name}`)),
  ),
);
/** The part before a convention, without its last dot. */
const prefixes = new Set(
  [...conventions].flatMap((key) => {
    const segments = key.split(".");
    return segments.slice(1).map((_, position) => segments.slice(0, position + 1).join("."));
  }),
);
/** Sent as JSON text by most instrumentations, shown as the object. */
const jsonTexts = new Set(["document.metadata", "llm.prompt_template.variables", "metadata", "tool.parameters"]);

/** The columns of an object, by name; empty objects and nulls have none. */
export function conventionColumns(attributes: JsonObject): JsonObject {
  const groups = emptyObject();
  for (const key of Object.keys(attributes)) collect(groups, key, attributes[key]!);
  for (const key of Object.keys(groups)) groups[key] = shown(key, groups[key]!);
  return groups;
}

function collect(groups: JsonObject, path: string, value: Json): void {
  if (value === null) return;
  if (isJsonObject(value)) {
    const keys = Object.keys(value);
    if (keys.length === 0) return;
    if (prefixes.has(path)) {
      for (const key of keys) collect(groups, `${path}.${key}`, value[key]!);
      return;
    }
  }
  const column = columnOf(path);
  if (column === path) {
    const beside = groups[path];
    // The rest of an object whose other members have columns of their own may be there already.
    groups[path] = isJsonObject(beside) && isJsonObject(value) ? Object.assign(beside, value) : value;
    return;
  }
  let place = groups;
  const rest = path.slice(column.length + 1).split(".");
  for (const segment of [column, ...rest.slice(0, -1)]) {
    const below = place[segment];
    const next = isJsonObject(below) ? below : emptyObject();
    place[segment] = next;
    place = next;
  }
  place[rest.at(-1)!] = value;
}

/** The longest convention that the path begins with, else its first segment. */
function columnOf(path: string): string {
  for (let end = path.length; end > 0; end = path.lastIndexOf(".", end - 1)) {
    const candidate = path.slice(0, end);
    if (conventions.has(candidate)) return candidate;
  }
  return path.split(".", 1)[0]!;
}

function shown(key: string, value: Json): Json {
  if (!conventions.has(key)) return value;
  if (typeof value === "string" && jsonTexts.has(key)) return parsedObject(value) ?? value;
  if (!Array.isArray(value)) return value;
  return value.map((element) => (isJsonObject(element) ? conventionColumns(element) : element));
}

function parsedObject(text: string): Json | null {
  if (!text.trimStart().startsWith("{")) return null;
  try {
    return parseJson(text);
  } catch {
    return null;
  }
}
