// Saves what a variant says as the next version of a prompt, or as a new prompt.
import { problemsOf } from "../../domain/prompts/editor/draft-problems.ts";
import { contentOf, type PartDraft, type PromptDraft, tagNames } from "../../domain/prompts/editor/prompt-draft.ts";
import { addVersion, createPrompt, saveForProvider } from "../../domain/prompts/editor/save-version.ts";
import { isName } from "../../domain/prompts/names.ts";
import { Select, TextField } from "../../kit/Field.tsx";
import { FormDialog } from "../../kit/form/FormDialog.tsx";
import { useForm } from "../../kit/form/use-form.ts";
import { Notice } from "../../kit/States.tsx";
import { showToast } from "../../kit/Toast.tsx";
import { askGraphql, nodesOf } from "../../lib/graphql.ts";
import { linkTo } from "../../lib/links.ts";
import { useGraphql } from "../../lib/queries.ts";
import { text } from "../../texts/texts.ts";
import { promptNames, versionPlace } from "./playground.queries.ts";
import { letterOf, type PlaygroundDraft, promptOf, withVariant } from "./playground-draft.ts";

const NEW = "";

interface SaveDialogProps {
  readonly draft: PlaygroundDraft;
  readonly variantKey: number;
  /** The variant is that version from then on. */
  readonly onSaved: (draft: PlaygroundDraft) => void;
  readonly onClose: () => void;
}

export default function SaveDialog({ draft, variantKey, onSaved, onClose }: SaveDialogProps) {
  const position = draft.variants.findIndex(({ key }) => key === variantKey);
  const variant = draft.variants[position]!;
  const prompt = promptOf(draft, variant);
  const known = useGraphql(promptNames, {});
  const refusal = refusalOf(prompt);
  const form = useForm(
    { promptId: variant.loaded?.promptId ?? NEW, name: "", note: "", tags: "" },
    {
      async send({ promptId, name, note, tags }) {
        const content = contentOf({ ...prompt, note });
        const { customProviderId } = variant;
        const isNew = promptId === NEW;
        if (customProviderId !== null) {
          const target = { promptId: isNew ? null : promptId, name: name.trim() };
          return savedVersion(await saveForProvider(target, content, tagNames({ tags }), customProviderId));
        }
        const saved = await (isNew
          ? createPrompt({ name: name.trim(), description: "" }, content, tagNames({ tags }))
          : addVersion(promptId, content, tagNames({ tags })));
        return savedVersion(saved);
      },
      changes: ["prompts"],
      check: ({ promptId, name, tags }) => ({
        promptId: refusal !== null,
        name: promptId === NEW && !isName(name.trim()) && text("prompts.tag.name.wrong"),
        tags: wrongTag(tags),
      }),
      done(version) {
        if (version === null || version.prompt === null) return;
        const { id: versionId, sequenceNumber: number } = version;
        const { id: promptId, name } = version.prompt;
        const loaded = { promptId, versionId, name, number, prompt };
        onSaved(withVariant(draft, { ...variant, loaded }));
        const link = { to: linkTo("promptVersion", { promptId, versionId }), label: text("playground.save.open") };
        showToast(text("playground.save.done", { number, name }), "plain", link);
      },
      onClose,
    },
  );
  const choices = nodesOf(known.data?.prompts.edges ?? []).map(({ id, name }) => ({ value: id, label: name }));
  const { loaded } = variant;
  const own = loaded === null || choices.some(({ value }) => value === loaded.promptId) ? [] : [loaded];
  return (
    <FormDialog
      open
      firm
      form={form}
      title={text("playground.save.title", { variant: letterOf(position) })}
      submit={text("prompts.editor.save")}
    >
      {refusal !== null && <Notice tone="error">{refusal}</Notice>}
      <Select
        label={text("playground.save.to")}
        choices={[
          { value: NEW, label: text("playground.save.new") },
          ...own.map(({ promptId, name }) => ({ value: promptId, label: name })),
          ...choices,
        ]}
        {...form.field("promptId")}
      />
      {form.values.promptId === NEW && <TextField mono label={text("prompts.name")} {...form.field("name")} />}
      <TextField
        label={text("prompts.editor.note")}
        note={text("kit.optional")}
        autoComplete="off"
        {...form.field("note")}
      />
      <TextField
        mono
        label={text("prompts.tags")}
        note={text("kit.optional")}
        hint={text("prompts.editor.tags.hint")}
        {...form.field("tags")}
      />
    </FormDialog>
  );
}

async function savedVersion({ versionId }: { readonly versionId: string }) {
  const { node } = await askGraphql(versionPlace, { id: versionId });
  return node?.__typename === "PromptVersion" ? node : null;
}

/** Why it cannot be saved as it is; null if it can. */
function refusalOf(prompt: PromptDraft): string | null {
  if (prompt.messages.some(({ parts }) => parts.some(({ kind }) => kind === "image"))) {
    return text("playground.save.images");
  }
  if (prompt.messages.some(({ parts }) => parts.some(isThought))) return text("playground.save.thoughts");
  return problemsOf(prompt, false).size > 0 ? text("playground.save.wrong") : null;
}

function isThought({ kind, source }: PartDraft): boolean {
  return kind === "json" && /"type":\s*"(redacted_)?thinking"/.test(source);
}

function wrongTag(tags: string): string | null {
  const wrong = tagNames({ tags }).find((name) => !isName(name));
  return wrong === undefined ? null : text("prompts.editor.tags.wrong", { name: wrong });
}
