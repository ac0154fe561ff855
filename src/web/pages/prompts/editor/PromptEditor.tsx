// The editor of a version: its fields at the left, and at the right how it reads with values, or what it changes.
import { useMemo, useState } from "react";
import { useLocation } from "wouter";
import { FormatField, ParameterFields } from "../../../domain/prompts/editor/DraftFields.tsx";
import { ELSEWHERE, problemsOf, refusalsOf } from "../../../domain/prompts/editor/draft-problems.ts";
import { JsonField, jsonFieldTitle } from "../../../domain/prompts/editor/JsonField.tsx";
import { MessageFields } from "../../../domain/prompts/editor/MessageFields.tsx";
import { contentOf, isChanged, type PromptDraft, tagNames } from "../../../domain/prompts/editor/prompt-draft.ts";
import { addVersion, createPrompt } from "../../../domain/prompts/editor/save-version.ts";
import type { PromptVersionContent } from "../../../domain/prompts/version-parts.ts";
import { Button } from "../../../kit/Button.tsx";
import { shownKey, useShortcut } from "../../../kit/keys.ts";
import { Section } from "../../../kit/Section.tsx";
import { Notice } from "../../../kit/States.tsx";
import { showToast } from "../../../kit/Toast.tsx";
import { linkTo } from "../../../lib/links.ts";
import { useChange } from "../../../lib/queries.ts";
import { useUnsaved } from "../../../lib/unsaved.ts";
import { trailPart } from "../../../shell/navigation.ts";
import { Page } from "../../../shell/Page.tsx";
import { text } from "../../../texts/texts.ts";
import { ChangesDialog } from "./ChangesDialog.tsx";
import { ModelFields } from "./ModelFields.tsx";
import { Preview } from "./Preview.tsx";
import styles from "./PromptEditor.module.css";
import { type KnownTag, PromptFields, SaveFields } from "./SaveFields.tsx";

/** The version that it starts from. */
interface EditedVersion {
  readonly promptId: string;
  readonly name: string;
  readonly content: PromptVersionContent;
}

interface PromptEditorProps {
  readonly start: PromptDraft;
  /** What it begins with came from elsewhere, and is lost like what is typed. */
  readonly begun?: boolean;
  /** Null for a new prompt. */
  readonly edited: EditedVersion | null;
  readonly knownTags?: readonly KnownTag[];
}

export function PromptEditor({ start, begun = false, edited, knownTags = [] }: PromptEditorProps) {
  const [, navigate] = useLocation();
  const [draft, setDraft] = useState(start);
  const [tried, setTried] = useState(false);
  const [isComparing, setComparing] = useState(false);
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const saving = useChange(
    (entered: PromptDraft) =>
      edited === null
        ? createPrompt(
            { name: entered.name.trim(), description: entered.about.trim() },
            contentOf(entered),
            tagNames(entered),
          )
        : addVersion(edited.promptId, contentOf(entered), tagNames(entered)),
    changes,
  );
  const problems = useMemo(() => problemsOf(draft, edited === null), [draft, edited]);
  const refusals = refusalsOf(saving.error, saving.variables ?? draft, edited === null);
  // Invalid input is reported at once; missing input only after an attempt to save.
  const problemAt = (place: string) =>
    (tried || !isUntouched(place, draft) ? problems.get(place) : undefined) ?? refusals.get(place) ?? null;
  const change = (changed: Partial<PromptDraft>) => {
    setDraft((now) => ({ ...now, ...changed }));
    if (saving.isError) saving.reset();
  };
  const save = () => {
    setTried(true);
    if (saving.isPending || problems.size > 0) return;
    saving.mutate(draft, {
      onSuccess({ promptId, versionId }) {
        showToast(text("prompts.editor.saved", { name: edited?.name ?? draft.name.trim() }));
        navigate(linkTo("promptVersion", { promptId, versionId }));
      },
    });
  };
  useShortcut({ keys: "mod+Enter", label: "prompts.editor.save", group: "prompts.title", inFields: true, run: save });
  useUnsaved((begun || isChanged(start, draft)) && !saving.isPending && !saving.isSuccess);
  const fields = { draft, problemAt, onChange: change };
  const wrong = tried ? problems.size : 0;
  const elsewhere = problemAt(ELSEWHERE);
  return (
    <Page
      title={edited === null ? text("prompts.editor.new") : text("prompts.editor.edit", { name: edited.name })}
      trail={trailOf(edited)}
      actions={
        <>
          {edited !== null && <Button onClick={() => setComparing(true)}>{text("prompts.editor.changes")}</Button>}
          <Button look="main" shortcut={shownKey("mod+Enter")} disabled={saving.isPending} onClick={save}>
            {text("prompts.editor.save")}
          </Button>
        </>
      }
    >
      <div className={styles.columns}>
        <div className={styles.form}>
          {(elsewhere !== null || wrong > 0 || refusals.size > 0) && (
            <div className={styles.notice} role="alert">
              <Notice tone="error">{elsewhere ?? text("prompts.editor.wrong")}</Notice>
            </div>
          )}
          {edited === null && <PromptFields {...fields} />}
          <FormatField draft={draft} onChange={change} />
          <MessageFields
            messages={draft.messages}
            format={draft.format}
            problemAt={problemAt}
            onChange={(messages) => change({ messages })}
          />
          <ModelFields {...fields} />
          <Section title={text("prompts.parameters")} hint={text("prompts.editor.parameters.hint")}>
            <ParameterFields {...fields} />
          </Section>
          {(["tools", "responseFormat"] as const).map((name) => (
            <Section key={name} title={jsonFieldTitle(name)} hint={text(`prompts.editor.${name}.hint`)}>
              <JsonField {...fields} name={name} />
            </Section>
          ))}
          <SaveFields {...fields} knownTags={knownTags} />
        </div>
        <aside className={styles.aside} aria-label={text("prompts.editor.preview")}>
          <h2 className={styles.asideTitle}>{text("prompts.editor.preview")}</h2>
          <p className={styles.asideHint}>{text("prompts.editor.preview.hint")}</p>
          <Preview draft={draft} values={values} onValues={setValues} />
        </aside>
      </div>
      {edited !== null && isComparing && (
        <ChangesDialog
          before={edited.content}
          after={problems.size > 0 ? null : contentOf(draft)}
          onSave={() => {
            setComparing(false);
            save();
          }}
          onClose={() => setComparing(false)}
        />
      )}
    </Page>
  );
}

const changes = ["prompts"] as const;
const prompts = trailPart("prompts");

function trailOf(edited: EditedVersion | null) {
  if (edited === null) return [prompts];
  const { promptId, name, content } = edited;
  return [prompts, { label: name, to: linkTo("promptVersion", { promptId, versionId: content.id }) }];
}

function isUntouched(place: string, { name, parameters }: PromptDraft): boolean {
  if (place === "name") return name === "";
  return place.startsWith("parameter ") && !parameters[place.slice("parameter ".length)];
}
