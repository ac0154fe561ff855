// The tools of a draft and the form of its answer, as JSON in the words of the API.
import { Plus } from "lucide-react";
import { Button } from "../../../kit/Button.tsx";
import { JsonEditor } from "../../../kit/editor/JsonEditor.tsx";
import { Section } from "../../../kit/Section.tsx";
import { text } from "../../../texts/texts.ts";
import type { DraftFieldsProps } from "./ModelFields.tsx";
import styles from "./PromptEditor.module.css";
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

export function JsonFields({ draft, problemAt, onChange }: DraftFieldsProps) {
  return (["tools", "responseFormat"] as const).map((name) => {
    const title = text(name === "tools" ? "prompts.tools" : "prompts.format");
    return (
      <Section key={name} title={title} hint={text(`prompts.editor.${name}.hint`)}>
        {draft[name] === "" ? (
          <Button icon={<Plus />} onClick={() => onChange({ [name]: written(begun[name]()) })}>
            {text(`prompts.editor.${name}.add`)}
          </Button>
        ) : (
          <div className={styles.wide}>
            <JsonEditor
              labelHidden
              label={title}
              value={draft[name]}
              problem={problemAt(name)}
              onChange={(source) => onChange({ [name]: source })}
            />
          </div>
        )}
      </Section>
    );
  });
}
