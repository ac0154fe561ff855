// The messages as a model would get them, with values for the variables: filled by the rules of the server.
import { Failure } from "../../../../kernel/failure.ts";
import type { Json } from "../../../../kernel/json.ts";
import type { TemplateFormat } from "../../../../model/prompt.ts";
import {
  chatVariables,
  filledTemplate,
} from "../../../../modules/evaluation/prompts/content/template-filling.rules.ts";
import type { PromptMessage } from "../../../../modules/evaluation/prompts/prompt-content.schema.ts";
import { TextArea } from "../../../kit/Field.tsx";
import { text } from "../../../texts/texts.ts";
import { resultText } from "../code/provider-requests.ts";
import styles from "./Preview.module.css";
import type { MessageDraft, PromptDraft } from "./prompt-draft.ts";

interface PreviewProps {
  readonly draft: PromptDraft;
  readonly values: Readonly<Record<string, string>>;
  readonly onValues: (values: Readonly<Record<string, string>>) => void;
}

export function Preview({ draft: { messages, format }, values, onValues }: PreviewProps) {
  const chat = { type: "chat" as const, messages: messages.map(textsOf) };
  const { names, filled, problem } = fill(chat, format, values);
  return (
    <>
      {names.length > 0 && (
        <div className={styles.values}>
          {names.map((name) => (
            <TextArea
              key={name}
              mono
              rows={1}
              label={name}
              value={values[name] ?? ""}
              onChange={(value) => onValues({ ...values, [name]: value })}
            />
          ))}
        </div>
      )}
      {problem !== null ? (
        <p className={styles.problem}>{problem}</p>
      ) : (
        <ol className={styles.messages} aria-label={text("prompts.editor.preview")}>
          {filled.map(({ role, content }, position) => (
            <li key={messages[position]!.key} className={styles.message}>
              <h3 className={styles.role}>{role}</h3>
              <p className={styles.text}>{shown(content)}</p>
            </li>
          ))}
        </ol>
      )}
    </>
  );
}

interface FilledPreview {
  readonly names: readonly string[];
  readonly filled: readonly PromptMessage[];
  /** What is wrong with the template or the values; null if nothing is. */
  readonly problem: string | null;
}

function fill(chat: ChatDraft, format: TemplateFormat, values: PreviewProps["values"]): FilledPreview {
  let names: readonly string[] = [];
  try {
    const variables = [...chatVariables(chat.messages, format)];
    names = variables.map(([name]) => name);
    // What has no value yet stands for itself.
    const mark = (name: string) => (format === "F_STRING" ? `{${name}}` : `{{${name}}}`);
    const given = variables.map(([name, use]) => {
      const typed = values[name] ?? "";
      return [name, typed === "" ? mark(name) : use === "any" ? typedValue(typed) : typed] as const;
    });
    return {
      names,
      filled: filledTemplate(chat, format, Object.fromEntries(given), Infinity).chat.messages,
      problem: null,
    };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { names, filled: [], problem: error.message };
  }
}

interface ChatDraft {
  readonly type: "chat";
  readonly messages: PromptMessage[];
}

/** JSON, or else the text itself. */
function typedValue(typed: string): Json {
  try {
    return JSON.parse(typed) as Json;
  } catch {
    return typed;
  }
}

function textsOf({ role, parts }: MessageDraft): PromptMessage {
  return {
    role,
    content: parts.map(({ kind, source }) =>
      kind === "text"
        ? { type: "text", text: source }
        : { type: "tool_result", tool_call_id: "", tool_result: typedValue(source) },
    ),
  };
}

function shown(content: PromptMessage["content"]): string {
  if (typeof content === "string") return content;
  return content
    .map((part) => (part.type === "text" ? part.text : part.type === "tool_result" ? resultText(part) : ""))
    .join("\n");
}
