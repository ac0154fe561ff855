// The tools of a draft and the form of its answer, as JSON in the words of the API.
import { Plus } from "lucide-react";
import { Button } from "../../../kit/Button.tsx";
import { JsonEditor } from "../../../kit/editor/JsonEditor.tsx";
import { text } from "../../../texts/texts.ts";
import styles from "./DraftFields.module.css";
import type { DraftFieldsProps } from "./DraftFields.tsx";
import { written } from "./prompt-draft.ts";

const schema = () => ({ type: "object", properties: { name: { type: "string" } }, required: ["name"] });

/** What a field begins with. */
const begun = {
  tools: () => ({
    type: "tools",
    tools: [{ type: "function", function: { name: "tool_name", description: "", parameters: schema() } }],
    tool_choice: { type: "zero_or_more" },
  }),
  responseFormat: () => ({ type: "json_schema", json_schema: { name: "answer", schema: schema() } }),
} as const;

export type JsonFieldName = keyof typeof begun;

interface JsonFieldProps extends DraftFieldsProps {
  readonly name: JsonFieldName;
}

/** A button that begins it while it is empty. */
export function JsonField({ name, draft, problemAt, onChange }: JsonFieldProps) {
  if (draft[name] === "") {
    return (
      <Button icon={<Plus />} onClick={() => onChange({ [name]: written(begun[name]()) })}>
        {text(`prompts.editor.${name}.add`)}
      </Button>
    );
  }
  return (
    <div className={styles.wide}>
      <JsonEditor
        labelHidden
        label={jsonFieldTitle(name)}
        value={draft[name]}
        problem={problemAt(name)}
        onChange={(source) => onChange({ [name]: source })}
      />
    </div>
  );
}

export function jsonFieldTitle(name: JsonFieldName): string {
  return text(name === "tools" ? "prompts.tools" : "prompts.format");
}
