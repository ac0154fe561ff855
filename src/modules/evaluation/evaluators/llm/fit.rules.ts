// What must fit together in an LLM evaluator: one tool an output, whose label takes the output's values.
import { fail } from "../../../../kernel/failure.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../../kernel/json.ts";
import { requireContent } from "../../annotation-configs/annotation-config-content.rules.ts";
import type { NewAnnotationConfig } from "../../annotation-configs/annotation-configs.schema.ts";
import type { ResponseFormat, Tool, Tools } from "../../prompts/prompt-content.schema.ts";

type FunctionTool = Extract<Tool, { readonly type: "function" }>["function"];
type CategoricalOutput = Extract<NewAnnotationConfig, { readonly type: "CATEGORICAL" }>;

interface EvaluatorParts {
  readonly description: string | null;
  readonly outputs: readonly NewAnnotationConfig[];
  readonly tools: Tools | null;
  readonly responseFormat: ResponseFormat | null;
}

/** The tools of the prompt. Throws kind `invalid` with the first rule that is broken. */
export function requireFit({ description, outputs, tools, responseFormat }: EvaluatorParts): Tools {
  requireOutputNames(outputs);
  const categorical = requireCategorical(outputs);
  for (const output of categorical) requireContent(output);
  if (responseFormat !== null) throw unfit("Response format is not supported for evaluator prompts");
  if (tools === null) throw unfit("Evaluator prompts require tools");
  if (tools.tools.length !== outputs.length) {
    throw unfit("Number of prompt tool definitions must match number of output configs");
  }
  requireChoice(tools);
  const functions = tools.tools.map((tool) => {
    if (tool.type !== "function") throw unfit("Evaluator prompts require function tools");
    return tool.function;
  });
  for (const output of categorical) {
    const definition = functions.find(({ name }) => name === output.name);
    if (definition === undefined) throw unfit(`No tool definition found matching output config name '${output.name}'`);
    if (description !== null && definition.description !== description)
      throw unfit("Evaluator description must match the function description");
    requireParameters(output, definition);
  }
  return tools;
}

/** Throws kind `invalid` without any, and for one name twice. */
export function requireOutputNames(outputs: readonly { readonly name: string }[]): void {
  if (outputs.length === 0) throw unfit("outputConfigs: at least 1 output config is required");
  const names = outputs.map(({ name }) => name);
  const repeated = [...new Set(names.filter((name, position) => names.indexOf(name) !== position))];
  if (repeated.length === 0) return;
  throw unfit(`Config names must be unique. Duplicates found: {${repeated.map((name) => `'${name}'`).join(", ")}}`);
}

function requireCategorical(outputs: readonly NewAnnotationConfig[]): readonly CategoricalOutput[] {
  return outputs.map((output) => {
    if (output.type === "CATEGORICAL") return output;
    throw unfit("LLM evaluators only support categorical output configs. Non-categorical config found.");
  });
}

function requireChoice({ tools, tool_choice: choice }: Tools): void {
  if (choice?.type !== "one_or_more" && choice?.type !== "specific_function")
    throw unfit("Evaluator prompts must require a tool choice");
  const [first] = tools;
  if (choice.type === "specific_function" && first?.type === "function" && choice.function_name !== first.function.name)
    throw unfit("Evaluator tool choice specific function name must match defined function name");
}

const MEMBERS = ["label", "explanation"];

function requireParameters(output: CategoricalOutput, definition: FunctionTool): void {
  const refused = (place: string, problem: string) =>
    unfit(`'${definition.name}' function has errors. At '${place}': ${problem}`);
  const parameters: JsonObject = definition.parameters ?? {};
  if (parameters.type !== "object") throw refused("type", "must be 'object'");
  const properties = objectOrEmpty(parameters.properties);
  const other = Object.keys(properties).find((name) => !MEMBERS.includes(name));
  if (other !== undefined) throw refused(`properties.${other}`, "only 'label' and 'explanation' are supported");
  const label = requireLabel(properties.label, refused);
  if (properties.explanation !== undefined && objectOrEmpty(properties.explanation).type !== "string")
    throw refused("properties.explanation", "The 'explanation' property must be omitted or set to a string.");
  requireRequired(Object.keys(properties), parameters.required, refused);
  if (label.description !== output.name)
    throw unfit("Evaluator annotation name must match function parameters label property description");
  const labels = new Set(output.values.map((value) => value.label));
  if (labels.size !== label.choices.size || [...labels].some((each) => !label.choices.has(each)))
    throw unfit("Evaluator choices must match tool function label property enum");
}

type Refuse = (place: string, problem: string) => Error;

function requireLabel(given: Json | undefined, refused: Refuse) {
  if (!isJsonObject(given)) throw refused("properties.label", "must be an object");
  const { type, enum: choices, description } = given;
  if (type !== "string") throw refused("properties.label.type", "must be 'string'");
  if (!Array.isArray(choices) || choices.some((choice) => typeof choice !== "string"))
    throw refused("properties.label.enum", "must be a list of texts");
  if (choices.length < 2) throw refused("properties.label.enum", "must have at least 2 labels");
  if (typeof description !== "string") throw refused("properties.label.description", "must be a text");
  return { choices: new Set(choices as string[]), description };
}

function requireRequired(members: readonly string[], given: Json | undefined, refused: Refuse): void {
  const required = Array.isArray(given) ? given : [];
  const list = (names: readonly Json[]) => names.map((name) => `'${String(name)}'`).join(", ");
  const missing = members.filter((name) => !required.includes(name));
  if (missing.length > 0) throw refused("required", `The following properties must be required: ${list(missing)}`);
  const unexpected = required.filter((name) => typeof name !== "string" || !members.includes(name));
  if (unexpected.length > 0) throw refused("required", `Found unexpected required properties: ${list(unexpected)}`);
  if (new Set(required).size < required.length) throw refused("required", "Required values must be unique");
}

function objectOrEmpty(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

function unfit(message: string) {
  return fail("evaluators.unfit", "invalid", message);
}
