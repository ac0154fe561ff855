// Spans of Traceloop's SDK (OpenLLMetry): what was decorated, with what it was called, and what it gave back.
import { type Converted, present, scalarText } from "../genai/values.ts";
import { setAssociations, setSide, setText } from "./converted.ts";
import { below, firstOf, type Source } from "./source.ts";

const ASSOCIATIONS = "traceloop.association.properties.";

const KINDS = new Map([
  ["workflow", "CHAIN"],
  ["task", "CHAIN"],
  ["agent", "AGENT"],
  ["tool", "TOOL"],
]);

export function convertTraceloop(source: Source, converted: Converted): void {
  const kind = KINDS.get(scalarText(present(source, "traceloop.span.kind")) ?? "");
  if (kind !== undefined) converted.set("openinference.span.kind", kind);
  const name = present(source, "traceloop.entity.name");
  if (kind === "TOOL") setText(converted, "tool.name", name);
  if (kind === "AGENT") setText(converted, "agent.name", name);
  setSide(converted, "input", firstOf(source, "traceloop.entity.input", "gen_ai.task.input"));
  setSide(converted, "output", firstOf(source, "traceloop.entity.output", "gen_ai.task.output"));
  const pairs = below(source, ASSOCIATIONS);
  const workflow = firstOf(source, "traceloop.workflow.name", "gen_ai.workflow.name");
  if (workflow !== undefined) pairs.workflow_name ??= workflow;
  setAssociations(converted, pairs);
  setText(converted, "llm.prompt_template.template", present(source, "traceloop.prompt.template"));
  setText(converted, "llm.prompt_template.version", present(source, "traceloop.prompt.version"));
  const variables = present(source, "traceloop.prompt.template_variables");
  if (variables !== undefined) converted.set("llm.prompt_template.variables", variables);
}
