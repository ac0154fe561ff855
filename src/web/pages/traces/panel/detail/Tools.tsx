// Tools that were offered to a model, or that the span ran, with their parameters in words.

import type { Tool } from "../../../../domain/trace/payload/tools.ts";
import { text } from "../../../../texts/texts.ts";
import styles from "./bodies.module.css";

export function Tools({ tools }: { readonly tools: readonly Tool[] }) {
  return (
    <ul className={styles.list}>
      {tools.map(({ name, description, parameters }, index) => (
        <li key={index} className={styles.item}>
          <code className={styles.toolName}>{name}</code>
          {description !== null && (
            <p dir="auto" className={styles.description}>
              {description}
            </p>
          )}
          {parameters.length > 0 && (
            <dl className={styles.pairs}>
              {parameters.map((parameter) => (
                <div key={parameter.name}>
                  <dt>
                    {parameter.name}
                    {parameter.required && <small> {text("span.tool.required")}</small>}
                  </dt>
                  <dd>
                    <code>{parameter.type}</code> {parameter.description}
                  </dd>
                </div>
              ))}
            </dl>
          )}
        </li>
      ))}
    </ul>
  );
}
