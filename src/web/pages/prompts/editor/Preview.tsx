// The messages as a model would get them, with values for the variables: filled by the rules of the server.

import type { PromptMessage } from "../../../../modules/evaluation/prompts/prompt-content.schema.ts";
import type { PromptDraft } from "../../../domain/prompts/editor/prompt-draft.ts";
import { filledPreview } from "../../../domain/prompts/editor/template-values.ts";
import { TextArea } from "../../../kit/Field.tsx";
import { text } from "../../../texts/texts.ts";
import { resultText } from "../code/provider-requests.ts";
import styles from "./Preview.module.css";

interface PreviewProps {
  readonly draft: PromptDraft;
  readonly values: Readonly<Record<string, string>>;
  readonly onValues: (values: Readonly<Record<string, string>>) => void;
}

export function Preview({ draft: { messages, format }, values, onValues }: PreviewProps) {
  const { names, filled, problem } = filledPreview(messages, format, values);
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

function shown(content: PromptMessage["content"]): string {
  if (typeof content === "string") return content;
  return content
    .map((part) => (part.type === "text" ? part.text : part.type === "tool_result" ? resultText(part) : ""))
    .join("\n");
}
