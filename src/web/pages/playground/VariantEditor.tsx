// One variant while it is written: its model, its messages, and what else is sent with them.
import { Ellipsis } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { type DraftFieldsProps, FormatField, ParameterFields } from "../../domain/prompts/editor/DraftFields.tsx";
import { ELSEWHERE } from "../../domain/prompts/editor/draft-problems.ts";
import { JsonField, type JsonFieldName, jsonFieldTitle } from "../../domain/prompts/editor/JsonField.tsx";
import { MessageFields } from "../../domain/prompts/editor/MessageFields.tsx";
import type { PromptDraft } from "../../domain/prompts/editor/prompt-draft.ts";
import { Button, IconButton } from "../../kit/Button.tsx";
import { FoldedLine } from "../../kit/FoldedText.tsx";
import { Menu, MenuItem, MenuSeparator } from "../../kit/Menu.tsx";
import { SeriesDot } from "../../kit/SeriesDot.tsx";
import { linkTo } from "../../lib/links.ts";
import { useRights } from "../../lib/viewer.ts";
import { text } from "../../texts/texts.ts";
import { ModelPicker } from "./ModelPicker.tsx";
import {
  isEdited,
  letterOf,
  type PlaygroundDraft,
  promptOf,
  type VariantDraft,
  withVariant,
} from "./playground-draft.ts";
import { VARIANT } from "./run-request.ts";
import type { Target } from "./targets.ts";
import styles from "./Variant.module.css";

interface VariantActions {
  readonly onCopy: (() => void) | null;
  readonly onRemove: (() => void) | null;
  readonly onSave: () => void;
  readonly onRun: () => void;
}

interface VariantEditorProps extends VariantActions {
  readonly draft: PlaygroundDraft;
  readonly variant: VariantDraft;
  readonly position: number;
  readonly targets: readonly Target[];
  readonly problemAt: (place: string) => string | null;
  readonly onChange: (draft: PlaygroundDraft) => void;
}

export function VariantEditor(props: VariantEditorProps) {
  const { draft, variant, position, targets, problemAt, onChange, ...actions } = props;
  const letter = letterOf(position);
  const prompt = promptOf(draft, variant);
  const isShared = variant.isShared && position > 0;
  const changePrompt = (changes: Partial<PromptDraft>) =>
    onChange(withVariant(draft, { ...variant, prompt: { ...variant.prompt, ...changes } }));
  const fields = { draft: prompt, problemAt, onChange: changePrompt };
  const problem = problemAt(VARIANT) ?? problemAt(ELSEWHERE);
  return (
    <section className={styles.variant} aria-label={text("playground.variant", { variant: letter })}>
      <header className={styles.head}>
        <SeriesDot index={position} />
        <Loaded draft={draft} variant={variant} />
        <span className={styles.space} />
        <VariantMenu letter={letter} {...actions} />
      </header>
      <ModelPicker
        letter={letter}
        variant={variant}
        targets={targets}
        problemAt={problemAt}
        onChange={(changed) => onChange(withVariant(draft, changed))}
      />
      {problem !== null && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
      {isShared ? (
        <p className={styles.shared}>
          {text("playground.shared")}
          <Button onClick={() => onChange(withVariant(draft, { ...variant, prompt, isShared: false }))}>
            {text("playground.shared.end")}
          </Button>
        </p>
      ) : (
        <MessageFields
          images
          messages={prompt.messages}
          format={prompt.format}
          problemAt={problemAt}
          onChange={(messages) => changePrompt({ messages })}
        />
      )}
      <div className={styles.folds}>
        {!isShared && (
          <>
            <Fold title={text("playground.fold.variables")} note={text(`prompts.editor.format.${prompt.format}`)}>
              <FormatField draft={prompt} onChange={changePrompt} />
            </Fold>
            <JsonFold {...fields} name="tools" />
            <JsonFold {...fields} name="responseFormat" />
          </>
        )}
        <Fold title={text("prompts.parameters")} note={parameterNote(prompt)}>
          <ParameterFields {...fields} />
        </Fold>
      </div>
    </section>
  );
}

function Loaded({ draft, variant }: Pick<VariantEditorProps, "draft" | "variant">) {
  const { loaded } = variant;
  if (loaded === null) return null;
  const { promptId, versionId, name, number } = loaded;
  return (
    <span className={styles.loaded}>
      <Link href={linkTo("promptVersion", { promptId, versionId })}>{text("playground.loaded", { name, number })}</Link>
      {isEdited(draft, variant) && <small>{text("playground.loaded.edited")}</small>}
    </span>
  );
}

function VariantMenu({ letter, onCopy, onRemove, onSave, onRun }: VariantActions & { readonly letter: string }) {
  const { mayWrite } = useRights();
  return (
    <Menu
      trigger={<IconButton small label={text("playground.variant.more", { variant: letter })} icon={<Ellipsis />} />}
    >
      {mayWrite && (
        <>
          <MenuItem onSelect={onRun}>{text("playground.run.one", { variant: letter })}</MenuItem>
          <MenuItem onSelect={onSave}>{text("playground.save")}</MenuItem>
          <MenuSeparator />
        </>
      )}
      <MenuItem reason={onCopy === null ? text("playground.variant.most") : null} onSelect={() => onCopy?.()}>
        {text("playground.variant.copy")}
      </MenuItem>
      <MenuItem
        danger
        reason={onRemove === null ? text("playground.variant.last") : null}
        onSelect={() => onRemove?.()}
      >
        {text("playground.variant.remove")}
      </MenuItem>
    </Menu>
  );
}

function JsonFold({ name, ...fields }: DraftFieldsProps & { readonly name: JsonFieldName }) {
  return (
    <Fold title={jsonFieldTitle(name)} note={jsonNote(fields.draft[name], name)}>
      <JsonField {...fields} name={name} />
    </Fold>
  );
}

interface FoldProps {
  readonly title: string;
  readonly note: string;
  readonly children: ReactNode;
}

function Fold({ title, note, children }: FoldProps) {
  return (
    <FoldedLine title={title} note={note}>
      <div className={styles.fold}>{children}</div>
    </FoldedLine>
  );
}

/** Names of the tools, or of the schema. */
function jsonNote(source: string, name: JsonFieldName): string {
  if (source.trim() === "") return text("playground.fold.none");
  try {
    const value = JSON.parse(source) as {
      readonly tools?: readonly { readonly function?: { readonly name?: string } }[];
      readonly json_schema?: { readonly name?: string };
    };
    const names = name === "tools" ? value.tools?.map((tool) => tool.function?.name ?? "…") : [value.json_schema?.name];
    return (names ?? []).join(", ") || "…";
  } catch {
    return "…";
  }
}

function parameterNote({ parameters, otherParameters }: PromptDraft): string {
  const set = Object.entries(parameters).filter(([, value]) => value.trim() !== "");
  const words = set.map(([name, value]) => `${name} ${value}`);
  if (otherParameters.trim() !== "") words.push("…");
  return words.length === 0 ? text("playground.fold.provider") : words.join(" · ");
}
