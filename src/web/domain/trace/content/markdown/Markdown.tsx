// Markdown of messages as elements of ours. HTML inside it is shown as text, images load after a click, links say where they lead:
// nothing that was sent becomes part of the page by itself. Loaded when the first such text is shown.
import { Lexer, type Token, type Tokens } from "marked";
import { Fragment, type ReactNode } from "react";
import { Shown } from "../Shown.tsx";
import { safeAddress } from "../safe-address.ts";
import { CodeBlock } from "./CodeBlock.tsx";
import styles from "./Markdown.module.css";

/** Deeper nesting is shown as text. */
const DEEPEST = 24;

export default function Markdown({ source }: { readonly source: string }) {
  let tokens: readonly Token[];
  try {
    tokens = new Lexer({ gfm: true, breaks: true }).lex(source);
  } catch {
    // Nested deeper than the reader can go.
    return <p className={styles.plain}>{source}</p>;
  }
  return (
    <div dir="auto" className={styles.markdown}>
      {blocks(tokens, 0)}
    </div>
  );
}

function blocks(tokens: readonly Token[], depth: number): ReactNode {
  return tokens.map((token, index) => <Fragment key={index}>{block(token as Tokens.Generic, depth)}</Fragment>);
}

function block(token: Tokens.Generic, depth: number): ReactNode {
  if (depth > DEEPEST) return token.raw;
  const below = () => blocks(token.tokens ?? [], depth + 1);
  switch (token.type) {
    case "space":
    case "def":
      return null;
    case "heading":
      return (
        <p className={styles.heading} data-level={token.depth}>
          {inline(token.tokens, depth)}
        </p>
      );
    case "paragraph":
      return <p>{inline(token.tokens, depth)}</p>;
    case "text":
      return token.tokens === undefined ? token.text : inline(token.tokens, depth);
    case "code":
      return <CodeBlock code={String(token.text)} language={token.lang ?? ""} />;
    case "blockquote":
      return <blockquote>{below()}</blockquote>;
    case "hr":
      return <hr />;
    case "list":
      return list(token as Tokens.List, depth);
    case "table":
      return table(token as Tokens.Table, depth);
    // HTML is text.
    default:
      return <span className={styles.plain}>{token.raw}</span>;
  }
}

function list({ ordered, start, items }: Tokens.List, depth: number): ReactNode {
  const entries = items.map((item, index) => (
    <li key={index}>
      {item.task && <input type="checkbox" checked={item.checked === true} readOnly disabled aria-label={item.text} />}
      {blocks(item.tokens, depth + 1)}
    </li>
  ));
  return ordered ? <ol start={start === "" ? 1 : start}>{entries}</ol> : <ul>{entries}</ul>;
}

function table({ header, rows, align }: Tokens.Table, depth: number): ReactNode {
  const cell = (Tag: "th" | "td") => (content: Tokens.TableCell, index: number) => (
    <Tag key={index} style={{ textAlign: align[index] ?? "left" }}>
      {inline(content.tokens, depth)}
    </Tag>
  );
  return (
    <div className={styles.table}>
      <table>
        <thead>
          <tr>{header.map(cell("th"))}</tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>{row.map(cell("td"))}</tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function inline(tokens: readonly Token[] | undefined, depth: number): ReactNode {
  return tokens?.map((token, index) => (
    <Fragment key={index}>{inlinePart(token as Tokens.Generic, depth + 1)}</Fragment>
  ));
}

function inlinePart(token: Tokens.Generic, depth: number): ReactNode {
  if (depth > DEEPEST) return token.raw;
  const below = () => inline(token.tokens, depth);
  switch (token.type) {
    case "strong":
      return <strong>{below()}</strong>;
    case "em":
      return <em>{below()}</em>;
    case "del":
      return <del>{below()}</del>;
    case "codespan":
      return <code>{token.text}</code>;
    case "br":
      return <br />;
    case "link": {
      const address = safeAddress(String(token.href));
      if (address === null) return token.raw;
      return (
        <a href={address} title={address} target="_blank" rel="noopener noreferrer">
          {below()}
        </a>
      );
    }
    case "image":
      return <Shown type="image" url={String(token.href)} alt={String(token.text)} />;
    case "escape":
      return token.text;
    case "text":
      return token.tokens === undefined ? unescaped(String(token.text)) : below();
    default:
      return token.raw;
  }
}

/** The reader escapes nothing, but keeps the entities that were written. */
const entities: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  "#39": "'",
  nbsp: "\u00a0",
};

function unescaped(value: string): string {
  return value.replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (_whole, name: string) => entities[name]!);
}
