// Fields of forms: a label above, a hint or the complaint below, joined for screen readers.
import {
  type ChangeEvent,
  type InputHTMLAttributes,
  type ReactNode,
  type RefObject,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
} from "react";
import { classes } from "./classes.ts";
import styles from "./Field.module.css";

export interface FrameProps {
  readonly label: string;
  /** The label is read aloud only. */
  readonly labelHidden?: boolean | undefined;
  readonly hint?: string | undefined;
  /** What is wrong with the value. */
  readonly problem?: string | null | undefined;
  /** Beside the label, such as "Optional". */
  readonly note?: string | undefined;
}

interface Wiring {
  readonly id: string;
  readonly "aria-describedby"?: string;
  readonly "aria-invalid"?: true;
}

/** Around any control: it takes the wiring, or names itself by `${id}-label`. */
export function FieldFrame({
  label,
  labelHidden,
  hint,
  problem,
  note,
  children,
}: FrameProps & { children: (wiring: Wiring) => ReactNode }) {
  const id = useId();
  const below = problem ?? hint;
  const wiring: Wiring = {
    id,
    ...(below ? { "aria-describedby": `${id}-below` } : {}),
    ...(problem ? { "aria-invalid": true } : {}),
  };
  return (
    <div className={styles.field}>
      <label id={`${id}-label`} htmlFor={id} className={labelHidden ? "visually-hidden" : styles.label}>
        {label}
        {note !== undefined && <span className={styles.note}>{note}</span>}
      </label>
      {children(wiring)}
      {below && (
        <p
          id={`${id}-below`}
          className={problem ? styles.problem : styles.hint}
          {...(problem ? { role: "alert" } : {})}
        >
          {below}
        </p>
      )}
    </div>
  );
}

type Bare<Attributes> = Omit<Attributes, "onChange" | "value" | "className" | "style">;

interface TextFieldProps extends FrameProps, Bare<InputHTMLAttributes<HTMLInputElement>> {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly icon?: ReactNode;
  /** A control at the end, inside the box. */
  readonly end?: ReactNode;
  /** For names and other texts that programs read: neither completed nor spelled. */
  readonly mono?: boolean;
  readonly inputRef?: RefObject<HTMLInputElement | null>;
}

const asWritten = { autoComplete: "off", spellCheck: false } as const;

export function TextField(props: TextFieldProps) {
  const {
    label,
    labelHidden,
    hint,
    problem,
    note,
    value,
    onChange,
    icon,
    end,
    mono = false,
    inputRef,
    ...rest
  } = props;
  return (
    <FieldFrame {...{ label, labelHidden: labelHidden ?? false, hint, problem, note }}>
      {(wiring) => (
        <span className={classes(styles.box, mono && styles.mono)}>
          {icon}
          <input
            {...(mono && asWritten)}
            {...rest}
            {...wiring}
            ref={inputRef}
            value={value}
            onChange={valueTo(onChange)}
          />
          {end !== undefined && <span className={styles.end}>{end}</span>}
        </span>
      )}
    </FieldFrame>
  );
}

interface TextAreaProps extends FrameProps, Bare<TextareaHTMLAttributes<HTMLTextAreaElement>> {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly mono?: boolean;
}

export function TextArea(props: TextAreaProps) {
  const { label, labelHidden, hint, problem, note, value, onChange, mono = false, ...rest } = props;
  return (
    <FieldFrame {...{ label, labelHidden: labelHidden ?? false, hint, problem, note }}>
      {(wiring) => (
        <textarea
          rows={3}
          {...rest}
          {...wiring}
          className={classes(styles.area, mono && styles.mono)}
          value={value}
          onChange={valueTo(onChange)}
        />
      )}
    </FieldFrame>
  );
}

interface SelectProps<Value extends string> extends FrameProps, Bare<SelectHTMLAttributes<HTMLSelectElement>> {
  readonly value: Value;
  readonly choices: readonly { readonly value: Value; readonly label: string }[];
  readonly onChange: (value: Value) => void;
}

/** The browser's own: it works with every keyboard, screen reader and phone. */
export function Select<Value extends string>(props: SelectProps<Value>) {
  const { label, labelHidden, hint, problem, note, value, choices, onChange, ...rest } = props;
  return (
    <FieldFrame {...{ label, labelHidden: labelHidden ?? false, hint, problem, note }}>
      {(wiring) => (
        <select
          {...rest}
          {...wiring}
          className={styles.select}
          value={value}
          onChange={(event) => onChange(event.target.value as Value)}
        >
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.label}
            </option>
          ))}
        </select>
      )}
    </FieldFrame>
  );
}

function valueTo(onChange: (value: string) => void) {
  return (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => onChange(event.target.value);
}

interface CheckboxProps {
  readonly label: string;
  readonly labelHidden?: boolean;
  readonly hint?: string;
  readonly checked: boolean;
  /** Some of several are checked. */
  readonly partly?: boolean;
  readonly disabled?: boolean;
  /** `shift`: the key was held, for ranges. */
  readonly onChange: (checked: boolean, shift: boolean) => void;
}

export function Checkbox(props: CheckboxProps) {
  const { label, labelHidden = false, hint, checked, partly = false, disabled = false, onChange } = props;
  return (
    <label className={styles.check}>
      <input
        type="checkbox"
        checked={checked}
        disabled={disabled}
        ref={(element) => {
          if (element !== null) element.indeterminate = partly && !checked;
        }}
        onChange={(event) =>
          onChange(event.target.checked, event.nativeEvent instanceof MouseEvent && event.nativeEvent.shiftKey)
        }
      />
      <span className={labelHidden ? "visually-hidden" : undefined}>
        {label}
        {hint !== undefined && <small className={styles.hint}>{hint}</small>}
      </span>
    </label>
  );
}

interface SegmentedProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly choices: readonly { readonly value: Value; readonly label: string; readonly icon?: ReactNode }[];
  readonly onChange: (value: Value) => void;
}

/** One of a few, all visible. */
export function Segmented<Value extends string>({ label, value, choices, onChange }: SegmentedProps<Value>) {
  const name = useId();
  return (
    <fieldset className={styles.segmented}>
      <legend className="visually-hidden">{label}</legend>
      {choices.map((choice) => (
        <label key={choice.value} className={styles.segment}>
          <input
            type="radio"
            className="visually-hidden"
            name={name}
            checked={choice.value === value}
            onChange={() => onChange(choice.value)}
          />
          {choice.icon}
          {choice.label}
        </label>
      ))}
    </fieldset>
  );
}
