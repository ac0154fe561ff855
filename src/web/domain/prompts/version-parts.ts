// The parts of what a version of a prompt says, and its texts cut at their variables.
import type { JsonObject } from "../../../kernel/json.ts";
import type { ModelProvider, TemplateFormat } from "../../../model/prompt.ts";
import { findVariable } from "../../../model/template-variables.ts";
import type {
  MessagePart,
  PromptMessage,
  Template,
  Tools,
} from "../../../modules/evaluation/prompts/prompt-content.schema.ts";

export interface PromptVersionContent {
  readonly id: string;
  readonly description: string;
  readonly model_provider: ModelProvider;
  readonly model_name: string;
  readonly template_format: TemplateFormat;
  readonly template: Template;
  /** `{"type": family, family: {…}}` */
  readonly invocation_parameters: JsonObject;
  readonly tools?: Tools;
  readonly response_format?: JsonObject;
  readonly metadata?: JsonObject;
}

/** A template of one text is shown as a message of the user. */
export function messagesOf({ template }: Pick<PromptVersionContent, "template">): readonly PromptMessage[] {
  return template.type === "chat" ? template.messages : [{ role: "user", content: template.template }];
}

export function partsOf({ content }: PromptMessage): readonly MessagePart[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : content;
}

/** The parameters without the name of their family. */
export function parametersOf({
  invocation_parameters: sent,
}: Pick<PromptVersionContent, "invocation_parameters">): JsonObject {
  return (sent[String(sent.type)] ?? {}) as JsonObject;
}

interface TextPiece {
  /** `unclosed`: the beginning of a variable that has no end. */
  readonly kind: "text" | "variable" | "unclosed";
  readonly text: string;
  readonly start: number;
}

/** A text cut at its variables. */
export function piecesOf(whole: string, format: TemplateFormat): readonly TextPiece[] {
  const pieces: TextPiece[] = [];
  let position = 0;
  let shown = 0;
  const textUntil = (end: number) => {
    if (end > shown) pieces.push({ kind: "text", text: whole.slice(shown, end), start: shown });
    shown = end;
  };
  for (;;) {
    const found = findVariable(whole, format, position);
    if (found === null || found.kind === "unclosed") {
      if (found !== null) {
        textUntil(found.start);
        const [name] = /^\{+\s*[\w.-]*/.exec(whole.slice(found.start)) ?? [""];
        pieces.push({ kind: "unclosed", text: name, start: found.start });
        shown = found.start + name.length;
      }
      textUntil(whole.length);
      return pieces;
    }
    position = found.end;
    if (found.kind === "brace") continue;
    textUntil(found.start);
    pieces.push({ kind: "variable", text: whole.slice(found.start, found.end), start: found.start });
    shown = found.end;
  }
}
