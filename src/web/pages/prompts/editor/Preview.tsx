// The messages as a model would get them, with values for the variables: filled by the rules of the server.
import { variablesOf } from "../../../../model/template-variables.ts";
import { filledTemplate } from "../../../../modules/evaluation/prompts/content/template-filling.rules.ts";
import type { PromptMessage } from "../../../../modules/evaluation/prompts/prompt-content.schema.ts";
import { TextArea } from "../../../kit/Field.tsx";
import { text } from "../../../texts/texts.ts";
import { unclosedProblem } from "./draft-problems.ts";
import styles from "./Preview.module.css";
import type { MessageDraft, PromptDraft } from "./prompt-draft.ts";

interface PreviewProps {
  readonly draft: PromptDraft;
  readonly values: Readonly<Record<string, string>>;
  readonly onValues: (values: Readonly<Record<string, string>>) => void;
}

export function Preview({ draft: { messages, format }, values, onValues }: PreviewProps) {
  const texts = messages.flatMap(({ parts }) => parts.flatMap(({ kind, source }) => (kind === "text" ? [source] : [])));
  const names = [...new Set(texts.flatMap((each) => variablesOf(each, format)))];
  const unclosed = texts.map((each) => unclosedProblem(each, format)).find((problem) => problem !== null);
  // What has no value yet stands for itself.
  const mark = (name: string) => (format === "F_STRING" ? `{${name}}` : `{{${name}}}`);
  const given = Object.fromEntries(names.map((name) => [name, values[name] || mark(name)]));
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
      {unclosed !== undefined ? (
        <p className={styles.problem}>{unclosed}</p>
      ) : (
        <ol className={styles.messages} aria-label={text("prompts.editor.preview")}>
          {filledTemplate({ type: "chat", messages: messages.map(textsOf) }, format, given, Infinity).chat.messages.map(
            ({ role, content }, position) => (
              <li key={messages[position]!.key} className={styles.message}>
                <h3 className={styles.role}>{role}</h3>
                <p className={styles.text}>{shown(content)}</p>
              </li>
            ),
          )}
        </ol>
      )}
    </>
  );
}

/** Its texts; what is JSON is left as it was typed, which may be none yet. */
function textsOf({ role, parts }: MessageDraft): PromptMessage {
  return {
    role,
    content: parts.map(({ kind, source }) =>
      kind === "text" ? { type: "text", text: source } : { type: "tool_result", tool_call_id: "", tool_result: source },
    ),
  };
}

function shown(content: PromptMessage["content"]): string {
  if (typeof content === "string") return content;
  return content
    .map((part) => (part.type === "text" ? part.text : "tool_result" in part ? String(part.tool_result) : ""))
    .join("\n");
}
