// A field for JSON or long text. Its editor comes as a script of its own; until then, and where it cannot be had, a plain field
// takes what is typed.
import { useRef } from "react";
import { Late, late } from "../../lib/late.tsx";
import { FieldFrame, type FrameProps } from "../Field.tsx";
import type { EditorLanguage } from "./CodeMirror.tsx";
import styles from "./JsonEditor.module.css";

const { Part: CodeMirror } = late(() => import("./CodeMirror.tsx"));

interface JsonEditorProps extends FrameProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly language?: EditorLanguage;
  readonly readOnly?: boolean;
  readonly placeholder?: string;
}

/** What is wrong with JSON is marked at its place; say it with `problem={jsonProblem(value)?.message}` as well. */
export function JsonEditor(props: JsonEditorProps) {
  const { value, onChange, language = "json", readOnly = false, placeholder = "", ...frame } = props;
  const plain = useRef<HTMLTextAreaElement>(null);
  return (
    <FieldFrame {...frame}>
      {({ id, ...wiring }) => (
        <div className={styles.box} data-invalid={wiring["aria-invalid"]}>
          <Late
            fallback={
              <textarea
                {...wiring}
                ref={plain}
                id={id}
                className={styles.plain}
                value={value}
                readOnly={readOnly}
                placeholder={placeholder}
                onChange={(event) => onChange(event.target.value)}
              />
            }
          >
            <CodeMirror
              {...{ value, onChange, language, readOnly, placeholder }}
              plain={plain}
              attributes={attributesOf(id, wiring)}
            />
          </Late>
        </div>
      )}
    </FieldFrame>
  );
}

function attributesOf(id: string, wiring: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  const entries = Object.entries(wiring).map(([name, value]) => [name, String(value)]);
  return { "aria-labelledby": `${id}-label`, ...Object.fromEntries(entries) };
}
