// Mustache (https://mustache.github.io) without escaping, partials and lambdas: variables, sections, inverted sections, comments, other
// delimiters.
import { type Json, stringifyJson } from "../../kernel/json.ts";
import { type TemplateNode, templateRefused } from "./template-node.ts";

const MAX_DEPTH = 50;

interface OpenSection {
  readonly name: string;
  readonly path: readonly string[];
  readonly isInverted: boolean;
  readonly children: TemplateNode[];
  readonly position: number;
}

interface Tag {
  readonly kind: ReturnType<typeof kindOf>;
  readonly sigil: string;
  readonly content: string;
  /** Behind the closing delimiter. */
  readonly end: number;
}

/** Texts as they are, nothing for null, other values as JSON. */
export function printValue(value: Json): string {
  if (typeof value === "string") return value;
  return value === null ? "" : stringifyJson(value);
}

/** Throws kind `invalid` for a section that is not closed, or not opened. A variable that is never closed is text. */
export function parseMustache(source: string): TemplateNode[] {
  return new MustacheParser(source).parse();
}

class MustacheParser {
  readonly #root: TemplateNode[] = [];
  readonly #open: OpenSection[] = [];
  #delimiters = { open: "{{", close: "}}" };
  #at = 0;

  constructor(readonly source: string) {}

  parse(): TemplateNode[] {
    const { source } = this;
    for (;;) {
      const start = source.indexOf(this.#delimiters.open, this.#at);
      const tag = start < 0 ? null : this.#tagAt(start);
      if (tag === null) break;
      const line = tag.kind === "variable" ? null : standaloneLine(source, start, tag.end);
      this.#addText(source.slice(this.#at, line?.start ?? start));
      this.#at = line?.end ?? tag.end;
      this.#take(tag, start);
    }
    this.#addText(source.slice(this.#at));
    const unclosed = this.#open.at(-1);
    if (unclosed !== undefined)
      throw templateRefused(`the section "${unclosed.name}" is never closed`, unclosed.position);
    return this.#root;
  }

  get #nodes(): TemplateNode[] {
    return this.#open.at(-1)?.children ?? this.#root;
  }

  #addText(text: string): void {
    if (text !== "") this.#nodes.push({ type: "text", text });
  }

  /** Null for one that never ends: it is text, as all that follows. */
  #tagAt(start: number): Tag | null {
    const { source } = this;
    const { open, close } = this.#delimiters;
    const inside = start + open.length;
    const sigil = source[inside] ?? "";
    const isTriple = sigil === "{" && open === "{{";
    const closing = sigil === "=" ? `=${close}` : isTriple ? `}${close}` : close;
    const hasSigil = isTriple || "#^/!>&=".includes(sigil);
    const end = source.indexOf(closing, inside + (hasSigil ? 1 : 0));
    if (sigil === "" || end < 0) return null;
    const kind = kindOf(hasSigil ? sigil : "");
    return {
      kind,
      sigil,
      content: source.slice(inside + (hasSigil ? 1 : 0), end).trim(),
      end: end + closing.length,
    };
  }

  #take({ kind, sigil, content }: Tag, position: number): void {
    switch (kind) {
      case "comment":
        return;
      case "delimiters": {
        const [open, close, ...rest] = content.split(/\s+/);
        if (!open || !close || rest.length > 0 || content.includes("="))
          throw templateRefused(`"${content}" is not a pair of delimiters`, position);
        this.#delimiters = { open, close };
        return;
      }
      case "open":
        if (this.#open.length >= MAX_DEPTH) throw templateRefused("sections are nested too deeply", position);
        this.#open.push({ name: content, path: pathOf(content), isInverted: sigil === "^", children: [], position });
        return;
      case "close":
        this.#close(content, position);
        return;
      case "variable":
        this.#nodes.push({ type: "variable", path: pathOf(content), isStrict: false, print: printValue });
    }
  }

  #close(name: string, position: number): void {
    const section = this.#open.pop();
    if (section === undefined) throw templateRefused(`the section "${name}" is closed, but was not opened`, position);
    if (section.name !== name) {
      throw templateRefused(`the section "${section.name}" is closed as "${name}"`, position);
    }
    const { path, isInverted, children } = section;
    this.#nodes.push({ type: "section", path, isInverted, children });
  }
}

function kindOf(sigil: string) {
  switch (sigil) {
    case "#":
    case "^":
      return "open";
    case "/":
      return "close";
    case "=":
      return "delimiters";
    // There are no partials: one is empty.
    case "!":
    case ">":
      return "comment";
    default:
      return "variable";
  }
}

function pathOf(name: string): string[] {
  return name === "." ? [] : name.split(".").map((part) => part.trim());
}

/** The whole line, with its end, of a tag that stands alone in it: the line does not show. */
function standaloneLine(source: string, start: number, end: number): { start: number; end: number } | null {
  let first = start;
  while (first > 0 && (source[first - 1] === " " || source[first - 1] === "\t")) first--;
  if (first > 0 && source[first - 1] !== "\n") return null;
  let last = end;
  while (source[last] === " " || source[last] === "\t") last++;
  if (last === source.length) return { start: first, end: last };
  if (source.startsWith("\r\n", last)) return { start: first, end: last + 2 };
  return source[last] === "\n" ? { start: first, end: last + 1 } : null;
}
