// The messages of a draft: each with its role and its parts, added, moved and removed.
import { ArrowDown, ArrowUp, Plus, Trash2 } from "lucide-react";
import type { TemplateFormat } from "../../../../model/prompt.ts";
import { Button, IconButton } from "../../../kit/Button.tsx";
import { JsonEditor } from "../../../kit/editor/JsonEditor.tsx";
import { Select } from "../../../kit/Field.tsx";
import { text } from "../../../texts/texts.ts";
import { messagePlace, partPlace } from "./draft-problems.ts";
import styles from "./PromptEditor.module.css";
import { type MessageDraft, messageRoles, newMessage } from "./prompt-draft.ts";
import { TemplateField } from "./TemplateField.tsx";

const roleChoices = messageRoles.map((value) => ({ value, label: value }));

interface MessageFieldsProps {
  readonly messages: readonly MessageDraft[];
  readonly format: TemplateFormat;
  readonly problemAt: (place: string) => string | null;
  readonly onChange: (messages: readonly MessageDraft[]) => void;
}

export function MessageFields({ messages, format, problemAt, onChange }: MessageFieldsProps) {
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
  const { message, number, format, problemAt, onChange, onUp, onDown, onRemove } = props;
  const refused = problemAt(messagePlace(message.key));
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
      {message.parts.map(({ kind, source }, position) => {
        const label = text("prompts.editor.message.text", { number });
        const problem = problemAt(partPlace(message.key, position)) ?? (position === 0 ? refused : null);
        const change = (typed: string) =>
          onChange({
            ...message,
            parts: message.parts.map((part, at) => (at === position ? { kind, source: typed } : part)),
          });
        const field = { label, problem, value: source, onChange: change };
        return kind === "text" ? (
          <TemplateField key={`${position} text`} {...field} format={format} />
        ) : (
          <JsonEditor key={`${position} json`} {...field} labelHidden />
        );
      })}
    </article>
  );
}
