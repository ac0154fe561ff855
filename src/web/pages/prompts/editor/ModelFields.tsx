// Which model a draft is for.
import { type ModelProvider, modelProviders } from "../../../../model/prompt.ts";
import type { DraftFieldsProps } from "../../../domain/prompts/editor/DraftFields.tsx";
import { Select, TextField } from "../../../kit/Field.tsx";
import { Section } from "../../../kit/Section.tsx";
import { start } from "../../../lib/start.ts";
import { text } from "../../../texts/texts.ts";
import styles from "./PromptEditor.module.css";

/** Those that are offered, and the one that the draft has. */
function providerChoices(own: ModelProvider) {
  const { offeredProviders: offered } = start;
  return modelProviders
    .filter((value) => offered === null || offered.includes(value) || value === own)
    .map((value) => ({ value, label: text(`prompts.provider.${value}`) }));
}

export function ModelFields({ draft, problemAt, onChange }: DraftFieldsProps) {
  return (
    <Section title={text("prompts.editor.model")}>
      <div className={styles.fields}>
        <Select
          label={text("prompts.editor.provider")}
          choices={providerChoices(draft.provider)}
          value={draft.provider}
          onChange={(provider) => onChange({ provider })}
        />
        <TextField
          mono
          label={text("prompts.editor.model.name")}
          value={draft.model}
          problem={problemAt("model")}
          onChange={(model) => onChange({ model })}
        />
      </div>
    </Section>
  );
}
