// Fields of a version that is saved: a note, and the tags that point at it from then on.

import type { DraftFieldsProps } from "../../../domain/prompts/editor/DraftFields.tsx";
import { tagNames } from "../../../domain/prompts/editor/prompt-draft.ts";
import { Button } from "../../../kit/Button.tsx";
import { TextField } from "../../../kit/Field.tsx";
import { Section } from "../../../kit/Section.tsx";
import { text } from "../../../texts/texts.ts";
import styles from "./PromptEditor.module.css";

export interface KnownTag {
  readonly id: string;
  readonly name: string;
  /** Of the version that it points at. */
  readonly number: number;
}

export function PromptFields({ draft, problemAt, onChange }: DraftFieldsProps) {
  return (
    <Section title={text("prompts.editor.prompt")}>
      <div className={styles.fields}>
        <TextField
          mono
          label={text("prompts.name")}
          value={draft.name}
          problem={problemAt("name")}
          onChange={(name) => onChange({ name })}
        />
        <TextField
          label={text("prompts.description")}
          note={text("kit.optional")}
          autoComplete="off"
          value={draft.about}
          onChange={(about) => onChange({ about })}
        />
      </div>
    </Section>
  );
}

export function SaveFields({
  draft,
  problemAt,
  onChange,
  knownTags,
}: DraftFieldsProps & { readonly knownTags: readonly KnownTag[] }) {
  const chosen = tagNames(draft);
  const toggle = (name: string) =>
    onChange({
      tags: (chosen.includes(name) ? chosen.filter((each) => each !== name) : [...chosen, name]).join(" "),
    });
  return (
    <Section title={text("prompts.editor.version")} hint={text("prompts.editor.version.hint")}>
      <div className={styles.wide}>
        <TextField
          label={text("prompts.editor.note")}
          note={text("kit.optional")}
          autoComplete="off"
          value={draft.note}
          onChange={(note) => onChange({ note })}
        />
      </div>
      <div className={styles.wide}>
        <TextField
          mono
          label={text("prompts.tags")}
          note={text("kit.optional")}
          hint={text("prompts.editor.tags.hint")}
          value={draft.tags}
          problem={problemAt("tags")}
          onChange={(tags) => onChange({ tags })}
        />
      </div>
      {knownTags.length > 0 && (
        <fieldset className={styles.known}>
          <legend className="visually-hidden">{text("prompts.tag.known")}</legend>
          {knownTags.map((tag) => (
            <Button key={tag.id} pressed={chosen.includes(tag.name)} onClick={() => toggle(tag.name)}>
              {text("prompts.tag.known.of", tag)}
            </Button>
          ))}
        </fieldset>
      )}
    </Section>
  );
}
