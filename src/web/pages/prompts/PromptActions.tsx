// What can be done with a prompt as a whole: edited, cloned, deleted.
import { Copy, Ellipsis, Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import { useLocation } from "wouter";
import { LabelFields, madeLabels } from "../../domain/labels/labels.tsx";
import { isName } from "../../domain/prompts/names.ts";
import { IconButton } from "../../kit/Button.tsx";
import { TextArea, TextField } from "../../kit/Field.tsx";
import { ConfirmDialog } from "../../kit/form/ConfirmDialog.tsx";
import { FormDialog } from "../../kit/form/FormDialog.tsx";
import { useForm } from "../../kit/form/use-form.ts";
import { Menu, MenuItem, MenuSeparator } from "../../kit/Menu.tsx";
import { showToast } from "../../kit/Toast.tsx";
import { askGraphql, nodesOf, type VariablesOf } from "../../lib/graphql.ts";
import { linkTo } from "../../lib/links.ts";
import { useGraphql } from "../../lib/queries.ts";
import { text } from "../../texts/texts.ts";
import {
  clonePrompt,
  createLabel,
  deletePrompt,
  labelList,
  patchPrompt,
  type ShownPrompt,
  setLabels,
} from "./prompts.queries.ts";

export type PromptAction = "edit" | "clone" | "delete";

interface PromptActionsProps {
  readonly prompt: ShownPrompt;
  readonly onChoose: (action: PromptAction) => void;
}

export function PromptActions({ prompt: { name }, onChoose }: PromptActionsProps) {
  return (
    <Menu trigger={<IconButton label={text("prompts.more", { name })} icon={<Ellipsis />} />}>
      <MenuItem icon={<Pencil />} onSelect={() => onChoose("edit")}>
        {text("prompts.edit")}
      </MenuItem>
      <MenuItem icon={<Copy />} onSelect={() => onChoose("clone")}>
        {text("prompts.clone")}
      </MenuItem>
      <MenuSeparator />
      <MenuItem danger icon={<Trash2 />} onSelect={() => onChoose("delete")}>
        {text("prompts.delete")}
      </MenuItem>
    </Menu>
  );
}

interface DialogProps {
  readonly prompt: ShownPrompt;
  readonly onClose: () => void;
}

export function PromptDialogs({ action, ...props }: DialogProps & { readonly action: PromptAction }) {
  switch (action) {
    case "edit":
      return <EditDialog {...props} />;
    case "clone":
      return <CloneDialog {...props} />;
    case "delete":
      return <DeleteDialog {...props} />;
  }
}

function EditDialog({ prompt, onClose }: DialogProps) {
  const known = useGraphql(labelList, {}).data?.promptLabels.edges;
  const [start] = useState((): readonly string[] => prompt.labels.map(({ id }) => id));
  const form = useForm(
    { description: prompt.description ?? "", labelIds: start, newLabel: "" },
    {
      async send(values) {
        await askGraphql(patchPrompt, { id: prompt.id, description: values.description.trim() || null });
        await askGraphql(setLabels, { id: prompt.id, labelIds: await madeLabels(values, makeLabel) });
      },
      changes: ["prompts", "promptLabels"],
      done: () => showToast(text("prompts.edit.saved", { name: prompt.name })),
      onClose,
    },
  );
  return (
    <FormDialog open firm form={form} title={text("prompts.edit")} submit={text("prompts.edit.save")}>
      <TextArea label={text("prompts.description")} note={text("kit.optional")} {...form.field("description")} />
      <LabelFields
        labels={known && nodesOf(known)}
        chosen={form.field("labelIds")}
        added={form.field("newLabel")}
        hint={text("prompts.labels.new.hint")}
      />
    </FormDialog>
  );
}

async function makeLabel(label: VariablesOf<typeof createLabel>): Promise<readonly string[]> {
  return (await askGraphql(createLabel, label)).createPromptLabel.promptLabels.map(({ id }) => id);
}

function CloneDialog({ prompt, onClose }: DialogProps) {
  const [, navigate] = useLocation();
  const form = useForm(
    { name: `${prompt.name}-copy` },
    {
      send: ({ name }) => askGraphql(clonePrompt, { id: prompt.id, name: name.trim() }),
      changes: ["prompts"],
      check: ({ name }) => ({ name: !isName(name.trim()) && text("prompts.tag.name.wrong") }),
      refusalAt: "name",
      done({ clonePrompt: { id } }, { name }) {
        showToast(text("prompts.clone.done", { name: name.trim() }));
        navigate(linkTo("prompt", { promptId: id }));
      },
      onClose,
    },
  );
  const { name } = prompt;
  return (
    <FormDialog open form={form} title={text("prompts.clone.title", { name })} submit={text("prompts.clone")}>
      <TextField mono label={text("prompts.clone.name")} hint={text("prompts.clone.text")} {...form.field("name")} />
    </FormDialog>
  );
}

function DeleteDialog({ prompt: { id, name }, onClose }: DialogProps) {
  const [, navigate] = useLocation();
  return (
    <ConfirmDialog
      title={text("prompts.delete.title", { name })}
      confirm={text("prompts.delete.confirm")}
      send={() => askGraphql(deletePrompt, { id })}
      changes={["prompts"]}
      done={text("prompts.delete.done", { name })}
      onDone={() => navigate(linkTo("prompts"))}
      onClose={onClose}
    >
      <p>{text("prompts.delete.text")}</p>
    </ConfirmDialog>
  );
}
