// Code of a message, coloured where its language is known, with two inks.
import type { ElementContent, RootContent } from "hast";
import { Fragment, type ReactNode, useMemo } from "react";
import { CopyButton } from "../../../../kit/CopyButton.tsx";
import { classes } from "../../../../kit/classes.ts";
import { highlighter } from "./highlighter.ts";
import styles from "./Markdown.module.css";

/** Longer code is shown in one ink: colouring it would hold up the page. */
const MOST_COLOURED = 50_000;

export function CodeBlock({ code, language }: { readonly code: string; readonly language: string }) {
  const name = /^[\w+#.-]+/.exec(language)?.[0]?.toLowerCase() ?? "";
  const coloured = useMemo(() => {
    if (code.length > MOST_COLOURED || !highlighter.registered(name)) return null;
    return highlighter.highlight(name, code).children;
  }, [code, name]);
  return (
    <div className={styles.block}>
      <div className={styles.blockHead}>
        <small>{name}</small>
        <CopyButton value={code} />
      </div>
      <pre dir="ltr" tabIndex={0}>
        <code>{coloured === null ? code : parts(coloured)}</code>
      </pre>
    </div>
  );
}

function parts(nodes: readonly (RootContent | ElementContent)[]): ReactNode {
  return nodes.map((node, index) => {
    if (node.type === "text") return node.value;
    if (node.type !== "element") return null;
    const names = Array.isArray(node.properties.className) ? node.properties.className.map(String) : [];
    return (
      <Fragment key={index}>
        <span className={classes(...names.map((each) => inks[each]))}>{parts(node.children)}</span>
      </Fragment>
    );
  });
}

const inks: Readonly<Record<string, string | undefined>> = {
  "hljs-keyword": styles.strong,
  "hljs-built_in": styles.strong,
  "hljs-literal": styles.strong,
  "hljs-attr": styles.strong,
  "hljs-name": styles.strong,
  "hljs-title": styles.strong,
  "hljs-section": styles.strong,
  "hljs-string": styles.quiet,
  "hljs-number": styles.quiet,
  "hljs-symbol": styles.quiet,
  "hljs-comment": styles.comment,
  "hljs-meta": styles.comment,
  "hljs-addition": styles.quiet,
  "hljs-deletion": styles.comment,
};
