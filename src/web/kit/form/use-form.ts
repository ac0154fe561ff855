// The state of a form: its values, what is wrong with them, and how they are sent. Problems are shown after the first try to send,
// then at once. The same state serves a question without fields.
import { useState } from "react";
import type { Changes } from "../../lib/entities.ts";
import { useChange } from "../../lib/queries.ts";

/** A sentence for the field; true when something else on the page says what is wrong. */
export type Problem = string | boolean | null | undefined;
export type Problems<Values> = { readonly [Name in keyof Values]?: Problem };

interface FormOptions<Values, Answer> {
  /** Sends the values; throws a PageFailure when they are refused. */
  readonly send: (values: Values) => Promise<Answer>;
  /** What sending changes: whatever shows it is asked again. */
  readonly changes: Changes;
  /** What is wrong, by field. Nothing is sent while anything is. */
  readonly check?: (values: Values) => Problems<Values>;
  /** Fields whose problem is shown as soon as they are changed, before a try to send. */
  readonly early?: readonly (keyof Values)[];
  /** The field under which a refusal of the server is shown; otherwise the dialog shows it by itself. */
  readonly refusalAt?: keyof Values;
  /** The values are sent: says so, or goes elsewhere. The form is emptied and closed afterwards. */
  readonly done?: (answer: Answer, values: Values) => void;
  readonly onClose: () => void;
}

/** What a field takes: `<TextField label={…} {...form.field("name")} />`. */
export interface FormField<Value> {
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  readonly problem: string | null;
}

export interface Form<Values> {
  readonly values: Values;
  field<Name extends keyof Values>(name: Name): FormField<Values[Name]>;
  /** There was a try to send it. */
  readonly tried: boolean;
  readonly pending: boolean;
  /** The refusal of the server, unless a field shows it. */
  readonly refusal: string | null;
  readonly submit: () => void;
  /** Forgets everything that was typed. */
  readonly close: () => void;
}

export function useForm<Values extends object, Answer>(
  initial: Values,
  options: FormOptions<Values, Answer>,
): Form<Values> {
  const [start] = useState(initial);
  const [values, setValues] = useState(start);
  const [tried, setTried] = useState(false);
  const change = useChange(options.send, options.changes);
  const problems: Problems<Values> = options.check?.(values) ?? {};
  const refusal = change.error?.message ?? null;

  const close = () => {
    setValues(start);
    setTried(false);
    change.reset();
    options.onClose();
  };
  return {
    values,
    field(name) {
      const problem = problems[name];
      const isShown = tried || (options.early?.includes(name) === true && values[name] !== start[name]);
      const own = isShown && typeof problem === "string" ? problem : null;
      return {
        value: values[name],
        onChange: (value) => setValues((now) => ({ ...now, [name]: value })),
        problem: own ?? (options.refusalAt === name ? refusal : null),
      };
    },
    tried,
    pending: change.isPending,
    refusal: options.refusalAt === undefined ? refusal : null,
    submit() {
      setTried(true);
      if (change.isPending || Object.values(problems).some(isWrong)) return;
      change.mutate(values, {
        onSuccess(answer) {
          options.done?.(answer, values);
          close();
        },
      });
    },
    close,
  };
}

function isWrong(problem: unknown): boolean {
  return typeof problem === "string" || problem === true;
}
