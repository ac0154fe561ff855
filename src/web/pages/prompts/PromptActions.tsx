// What can be done with a prompt as a whole: edited, cloned, deleted.
import { Copy, Ellipsis, Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import { useLocation } from "wouter";
import { isName } from "../../domain/prompts/names.ts";
import { IconButton } from "../../kit/Button.tsx";
import { Checkbox, TextArea, TextField } from "../../kit/Field.tsx";
import { ConfirmDialog } from "../../kit/form/ConfirmDialog.tsx";
import { FormDialog } from "../../kit/form/FormDialog.tsx";
import { useForm } from "../../kit/form/use-form.ts";
import { Menu, MenuItem, MenuSeparator } from "../../kit/Menu.tsx";
import { showToast } from "../../kit/Toast.tsx";
import { askGraphql, nodesOf } from "../../lib/graphql.ts";
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

/** The colour of a label that nobody chose one for. */
const PLAIN_COLOR = "#8b837a";

function EditDialog({ prompt, onClose }: DialogProps) {
  const labels = useGraphql(labelList, {});
  const [start] = useState(() => prompt.labels.map(({ id }) => id));
  const form = useForm(
    { description: prompt.description ?? "", labelIds: start, newLabel: "" },
    {
      async send({ description, labelIds, newLabel }) {
        await askGraphql(patchPrompt, { id: prompt.id, description: description.trim() || null });
        const name = newLabel.trim();
        const made = name === "" ? [] : await makeLabel(name);
        await askGraphql(setLabels, { id: prompt.id, labelIds: [...labelIds, ...made] });
      },
      changes: ["prompts", "promptLabels"],
      done: () => showToast(text("prompts.edit.saved", { name: prompt.name })),
      onClose,
    },
  );
  const { value: chosen, onChange } = form.field("labelIds");
  const known = nodesOf(labels.data?.promptLabels.edges ?? []);
  return (
    <FormDialog open firm form={form} title={text("prompts.edit")} submit={text("prompts.edit.save")}>
      <TextArea label={text("prompts.description")} note={text("kit.optional")} {...form.field("description")} />
      <fieldset>
        <legend>{text("prompts.labels")}</legend>
        {labels.data !== undefined && known.length === 0 && <p>{text("prompts.labels.none")}</p>}
        {known.map(({ id, name }) => (
          <Checkbox
            key={id}
            label={name}
            checked={chosen.includes(id)}
            onChange={(checked) => onChange(checked ? [...chosen, id] : chosen.filter((each) => each !== id))}
          />
        ))}
      </fieldset>
      <TextField
        label={text("prompts.labels.new")}
        note={text("kit.optional")}
        hint={text("prompts.labels.new.hint")}
        autoComplete="off"
        {...form.field("newLabel")}
      />
    </FormDialog>
  );
}

async function makeLabel(name: string): Promise<readonly string[]> {
  const { createPromptLabel } = await askGraphql(createLabel, { name, color: PLAIN_COLOR });
  return createPromptLabel.promptLabels.map(({ id }) => id);
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
      <TextField
        mono
        label={text("prompts.clone.name")}
        hint={text("prompts.clone.text")}
        autoComplete="off"
        spellCheck={false}
        {...form.field("name")}
      />
    </FormDialog>
  );
}

function DeleteDialog({ prompt: { id, name }, onClose }: DialogProps) {
  const [, navigate] = useLocation();
  const form = useForm(
    {},
    {
      send: () => askGraphql(deletePrompt, { id }),
      changes: ["prompts"],
      done() {
        showToast(text("prompts.delete.done", { name }));
        navigate(linkTo("prompts"));
      },
      onClose,
    },
  );
  return (
    <ConfirmDialog
      open
      form={form}
      title={text("prompts.delete.title", { name })}
      confirm={text("prompts.delete.confirm")}
    >
      <p>{text("prompts.delete.text")}</p>
    </ConfirmDialog>
  );
}
