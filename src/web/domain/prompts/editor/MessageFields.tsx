// The messages of a draft: each with its role and its parts, added, moved and removed.
import { ArrowDown, ArrowUp, Plus, Trash2, X } from "lucide-react";
import type { TemplateFormat } from "../../../../model/prompt.ts";
import { Button, IconButton } from "../../../kit/Button.tsx";
import { JsonEditor } from "../../../kit/editor/JsonEditor.tsx";
import { Select, TextField } from "../../../kit/Field.tsx";
import { Menu, MenuItem } from "../../../kit/Menu.tsx";
import { type LabelKey, text } from "../../../texts/texts.ts";
import { messagePlace, partPlace } from "./draft-problems.ts";
import { ImageField } from "./ImageField.tsx";
import styles from "./MessageFields.module.css";
import { type MessageDraft, messageRoles, newMessage, type PartDraft, written } from "./prompt-draft.ts";
import { TemplateField } from "./TemplateField.tsx";

const roleChoices = messageRoles.map((value) => ({ value, label: value }));

const call = { type: "function", name: "tool_name", arguments: "{}" };

/** What can be added to a message. */
const newParts: readonly (PartDraft & { readonly label: LabelKey })[] = [
  { label: "prompts.editor.part.text", kind: "text", source: "" },
  { label: "prompts.editor.part.image", kind: "image", source: "" },
  {
    label: "prompts.editor.part.call",
    kind: "json",
    source: written({ type: "tool_call", tool_call_id: "call_1", tool_call: call }),
  },
  { label: "prompts.editor.part.result", kind: "result", source: "", callId: "call_1" },
];

interface MessageFieldsProps {
  /** Stored prompts hold none. */
  readonly images?: boolean;
  /** Nothing but the text of a message can be written. */
  readonly textsOnly?: boolean;
  readonly messages: readonly MessageDraft[];
  readonly format: TemplateFormat;
  readonly problemAt: (place: string) => string | null;
  readonly onChange: (messages: readonly MessageDraft[]) => void;
}

export function MessageFields(props: MessageFieldsProps) {
  const { images = false, textsOnly = false, messages, format, problemAt, onChange } = props;
  const moved = (from: number, to: number) => {
    const next = [...messages];
    next.splice(to, 0, ...next.splice(from, 1));
    onChange(next);
  };
  return (
    <section aria-label={text("prompts.messages")} className={styles.messages}>
      {messages.map((message, position) => (
        <MessageField
          key={message.key}
          message={message}
          number={position + 1}
          images={images}
          textsOnly={textsOnly}
          format={format}
          problemAt={problemAt}
          onChange={(changed) => onChange(messages.map((each) => (each === message ? changed : each)))}
          onUp={position === 0 ? null : () => moved(position, position - 1)}
          onDown={position === messages.length - 1 ? null : () => moved(position, position + 1)}
          onRemove={() => onChange(messages.filter((each) => each !== message))}
        />
      ))}
      <span>
        <Button
          icon={<Plus />}
          onClick={() => onChange([...messages, newMessage(messages.at(-1)?.role === "user" ? "assistant" : "user")])}
        >
          {text("prompts.editor.message.add")}
        </Button>
      </span>
    </section>
  );
}

interface MessageFieldProps {
  readonly images: boolean;
  readonly textsOnly: boolean;
  readonly message: MessageDraft;
  /** From 1. */
  readonly number: number;
  readonly format: TemplateFormat;
  readonly problemAt: (place: string) => string | null;
  readonly onChange: (message: MessageDraft) => void;
  /** Null at the ends. */
  readonly onUp: (() => void) | null;
  readonly onDown: (() => void) | null;
  readonly onRemove: () => void;
}

function MessageField(props: MessageFieldProps) {
  const { images, textsOnly, message, number, format, problemAt, onChange, onUp, onDown, onRemove } = props;
  const refused = problemAt(messagePlace(message.key));
  const change = (parts: readonly PartDraft[]) =>
    onChange({ ...message, parts, isList: message.isList || parts.length > 1 || parts[0]?.kind !== "text" });
  return (
    <article className={styles.message} aria-label={text("prompts.editor.message", { number })}>
      <header className={styles.messageHead}>
        <Select
          labelHidden
          label={text("prompts.editor.message.role", { number })}
          choices={roleChoices}
          value={message.role}
          onChange={(role) => onChange({ ...message, role })}
        />
        <span className={styles.space} />
        {!textsOnly && (
          <Menu trigger={<IconButton label={text("prompts.editor.part.add", { number })} icon={<Plus />} />}>
            {newParts
              .filter(({ kind }) => kind !== "image" || images)
              .map(({ label, ...part }) => (
                <MenuItem key={label} onSelect={() => change([...message.parts, part])}>
                  {text(label)}
                </MenuItem>
              ))}
          </Menu>
        )}
        <IconButton
          label={text("prompts.editor.message.up", { number })}
          icon={<ArrowUp />}
          disabled={onUp === null}
          onClick={() => onUp?.()}
        />
        <IconButton
          label={text("prompts.editor.message.down", { number })}
          icon={<ArrowDown />}
          disabled={onDown === null}
          onClick={() => onDown?.()}
        />
        <IconButton label={text("prompts.editor.message.remove", { number })} icon={<Trash2 />} onClick={onRemove} />
      </header>
      {message.parts.map((part, position) => (
        <div key={`${position} ${part.kind}`} className={styles.row}>
          <div className={styles.part}>
            <PartField
              part={part}
              number={number}
              format={format}
              problem={problemAt(partPlace(message.key, position)) ?? (position === 0 ? refused : null)}
              onChange={(changed) =>
                change(message.parts.map((each, at) => (at === position ? { ...each, ...changed } : each)))
              }
            />
          </div>
          {message.parts.length > 1 && (
            <IconButton
              small
              label={text("prompts.editor.part.remove", { part: position + 1, number })}
              icon={<X />}
              onClick={() => change(message.parts.filter((_, at) => at !== position))}
            />
          )}
        </div>
      ))}
    </article>
  );
}

interface PartFieldProps {
  readonly part: PartDraft;
  /** Of the message. */
  readonly number: number;
  readonly format: TemplateFormat;
  readonly problem: string | null;
  readonly onChange: (changes: Partial<PartDraft>) => void;
}

function PartField({ part: { kind, source, callId }, number, format, problem, onChange }: PartFieldProps) {
  const field = { problem, value: source, onChange: (typed: string) => onChange({ source: typed }) };
  switch (kind) {
    case "text":
      return <TemplateField {...field} label={text("prompts.editor.message.text", { number })} format={format} />;
    case "json":
      return <JsonEditor {...field} labelHidden label={text("prompts.editor.message.text", { number })} />;
    case "image":
      return <ImageField {...field} label={text("prompts.editor.image", { number })} />;
    case "result":
      return (
        <>
          <TextField
            mono
            label={text("prompts.editor.result.id", { number })}
            value={callId ?? ""}
            onChange={(id) => onChange({ callId: id })}
          />
          <TemplateField {...field} label={text("prompts.editor.result", { number })} format={format} />
        </>
      );
  }
}
