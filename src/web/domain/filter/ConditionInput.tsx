// The condition as text: what is being written, suggestions at the caret, and mistakes at their place.
import { type KeyboardEvent, type RefObject, useId, useLayoutEffect, useRef, useState } from "react";
import { classes } from "../../kit/classes.ts";
import { text } from "../../texts/texts.ts";
import { completionAt, type Suggestion, type Vocabulary } from "./completion.ts";
import styles from "./FilterBar.module.css";
import type { Problem } from "./use-check.ts";

interface ConditionInputProps {
  readonly field: RefObject<HTMLInputElement | null>;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly onSubmit: () => void;
  /** With nothing written. */
  readonly onBackspace: () => void;
  readonly onEscape: () => void;
  readonly vocabulary: Vocabulary;
  readonly problem: Problem | null;
  readonly placeholder: string;
}

export function ConditionInput(props: ConditionInputProps) {
  const { field, value, onChange, problem } = props;
  const id = useId();
  const [caret, setCaret] = useState(0);
  const [open, setOpen] = useState(false);
  /** -1: nothing is chosen, so Enter applies what is written. */
  const [chosen, setChosen] = useState(-1);
  /** Where the caret belongs as soon as what was inserted is there: before the next key. */
  const behindInserted = useRef<number | null>(null);
  useLayoutEffect(() => {
    const at = behindInserted.current;
    behindInserted.current = null;
    if (at === null || value.length < at) return;
    field.current?.setSelectionRange(at, at);
    setCaret(at);
  }, [field, value]);
  const completion = open ? completionAt(value, Math.min(caret, value.length), props.vocabulary) : null;
  const suggestions = completion?.suggestions ?? [];

  const moved = () => setCaret(field.current?.selectionStart ?? value.length);
  const take = ({ insert }: Suggestion) => {
    if (completion === null) return;
    const head = value.slice(0, completion.from) + insert;
    onChange(head + value.slice(caret));
    setChosen(-1);
    behindInserted.current = head.length;
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && (open || suggestions.length > 0)) {
      event.preventDefault();
      const count = suggestions.length;
      if (count > 0) setChosen((chosen + step + count + (chosen < 0 && step < 0 ? 1 : 0)) % count);
    } else if ((event.key === "Enter" || event.key === "Tab") && suggestions[chosen] !== undefined) {
      event.preventDefault();
      take(suggestions[chosen]);
    } else if (event.key === "Enter") {
      setOpen(false);
      props.onSubmit();
    } else if (event.key === "Escape") {
      if (open && suggestions.length > 0) setOpen(false);
      else {
        props.onEscape();
        field.current?.blur();
      }
      event.stopPropagation();
    } else if (event.key === "Backspace" && value === "") props.onBackspace();
  };
  const lists = open && suggestions.length > 0;
  // A name that is only half written is no mistake yet.
  const isBeingWritten = lists && problem?.end === value.trimEnd().length;
  const shown = isBeingWritten ? null : problem;

  return (
    <span className={styles.writing}>
      <input
        ref={field}
        role="combobox"
        aria-label={text("filter.label")}
        aria-expanded={lists}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        {...(lists && chosen >= 0 ? { "aria-activedescendant": `${id}-${chosen}` } : {})}
        {...(shown === null ? {} : { "aria-invalid": true, "aria-describedby": `${id}-problem` })}
        className={styles.input}
        value={value}
        placeholder={props.placeholder}
        spellCheck={false}
        autoComplete="off"
        autoCapitalize="off"
        onChange={(event) => {
          onChange(event.target.value);
          setCaret(event.target.selectionStart ?? event.target.value.length);
          setChosen(-1);
          setOpen(true);
        }}
        onKeyDown={onKeyDown}
        onKeyUp={moved}
        onClick={() => {
          moved();
          setOpen(true);
        }}
        onBlur={() => setOpen(false)}
      />
      {(lists || shown !== null) && (
        <div className={styles.below}>
          {shown !== null && <ProblemLine id={`${id}-problem`} written={value} problem={shown} />}
          <div id={`${id}-list`} role="listbox" aria-label={text("filter.suggestions")} className={styles.list}>
            {lists &&
              suggestions.map((suggestion, at) => (
                <div
                  key={suggestion.label}
                  id={`${id}-${at}`}
                  role="option"
                  tabIndex={-1}
                  aria-selected={at === chosen}
                  className={classes(styles.option, at === chosen && styles.chosen)}
                  onMouseDown={(event) => {
                    // The field keeps the focus.
                    event.preventDefault();
                    take(suggestion);
                  }}
                >
                  <code>{suggestion.label}</code>
                  <span>{suggestion.detail}</span>
                </div>
              ))}
          </div>
        </div>
      )}
    </span>
  );
}

interface ProblemLineProps {
  readonly id: string;
  readonly written: string;
  readonly problem: Problem;
}

/** What is written, the mistake underlined, and what is wrong with it. */
function ProblemLine({ id, written, problem: { message, start, end } }: ProblemLineProps) {
  return (
    <p id={id} role="alert" className={styles.problem}>
      {start !== null && (
        <code aria-hidden="true">
          {written.slice(0, start)}
          <mark>{written.slice(start, end ?? start + 1) || " "}</mark>
          {written.slice(end ?? start + 1)}
        </code>
      )}
      {message}
    </p>
  );
}
