// With what a model was called: its parameters, and the prompt template with its variables.

import type { Json, JsonObject } from "../../../../../kernel/json.ts";
import { LongText } from "../../../../domain/trace/content/LongText.tsx";
import type { PromptTemplate } from "../../../../domain/trace/payload/cards.ts";
import { plainText } from "../../../../domain/trace/payload/values.ts";
import { JsonView } from "../../../../kit/JsonView.tsx";
import { text } from "../../../../texts/texts.ts";
import styles from "./bodies.module.css";

interface ParametersProps {
  readonly values: JsonObject;
  readonly template: PromptTemplate | null;
}

export function Parameters({ values, template }: ParametersProps) {
  const names = Object.keys(values);
  return (
    <div className={styles.padded}>
      {names.length > 0 && (
        <dl className={styles.pairs}>
          {names.map((name) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <Value value={values[name]!} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      {template !== null && (
        <>
          <h5 className={styles.label}>
            {text("span.template")}
            {template.version !== null && ` · ${text("span.template.version", { version: template.version })}`}
          </h5>
          {template.template !== null && (
            <LongText excerpt={{ text: plainText(template.template), place: null, wholeBytes: null }} mono />
          )}
          {template.variables !== undefined && (
            <>
              <h5 className={styles.label}>{text("span.template.variables")}</h5>
              <div className={styles.code}>
                <JsonView value={template.variables} />
              </div>
            </>
          )}
        </>
      )}
    </div>
  );
}

function Value({ value }: { readonly value: Json }) {
  if (typeof value === "object" && value !== null) return <JsonView value={value} open={0} />;
  return <code>{plainText(value)}</code>;
}
