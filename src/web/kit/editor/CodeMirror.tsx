// The editor itself, a script of its own: JSON with its brackets completed and its first mistake marked, or plain text. Tab leaves
// it, like every other field.
import { closeBrackets, closeBracketsKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import { bracketMatching, HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { linter } from "@codemirror/lint";
import { Compartment, EditorState, type Extension } from "@codemirror/state";
import { EditorView, keymap, lineNumbers, placeholder as shownWhenEmpty } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { type RefObject, useEffect, useRef, useState } from "react";
import { start } from "../../lib/start.ts";
import styles from "./JsonEditor.module.css";
import { jsonProblem } from "./json-problem.ts";

export type EditorLanguage = "json" | "text";

interface CodeMirrorProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly language: EditorLanguage;
  readonly readOnly: boolean;
  readonly placeholder: string;
  /** What was typed into until now. */
  readonly plain: RefObject<HTMLTextAreaElement | null>;
  /** How it is called and described, and whether it is wrong. */
  readonly attributes: Readonly<Record<string, string>>;
}

export default function CodeMirror({ value, onChange, plain, ...looks }: CodeMirrorProps) {
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const setup = useRef(new Compartment());
  // The plain field is still there while this is drawn for the first time.
  const [selection] = useState(() => selectionIn(plain.current));
  const current = useRef({ value, onChange, selection, looks });
  current.current = { value, onChange, selection, looks };

  useEffect(() => {
    const { current: first } = current;
    const listener = EditorView.updateListener.of(({ docChanged, state }) => {
      if (docChanged) current.current.onChange(state.doc.toString());
    });
    const extensions = [always, listener, setup.current.of(extensionsOf(first.looks))];
    const editor = new EditorView({
      parent: place.current!,
      state: EditorState.create({
        doc: first.value,
        extensions,
        ...(first.selection && { selection: first.selection }),
      }),
    });
    view.current = editor;
    if (first.selection !== null) editor.focus();
    return () => editor.destroy();
  }, []);

  const { language, readOnly, placeholder } = looks;
  const attributes = JSON.stringify(looks.attributes);
  useEffect(() => {
    const changed = extensionsOf({ language, readOnly, placeholder, attributes: JSON.parse(attributes) });
    view.current?.dispatch({ effects: setup.current.reconfigure(changed) });
  }, [language, readOnly, placeholder, attributes]);

  // What was set from outside; what was typed is there already.
  useEffect(() => {
    const editor = view.current;
    if (editor === null || editor.state.doc.toString() === value) return;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } });
  }, [value]);

  return <div ref={place} className={styles.editor} />;
}

/** Null unless it has the focus. */
function selectionIn(field: HTMLTextAreaElement | null): { readonly anchor: number; readonly head: number } | null {
  if (field === null || field !== document.activeElement) return null;
  return { anchor: field.selectionStart, head: field.selectionEnd };
}

/** `mod+Enter` is left to the page: it sends forms. */
const keys = defaultKeymap.filter(({ key }) => key !== "Mod-Enter");

const colors = HighlightStyle.define([
  { tag: tags.propertyName, color: "var(--accent-ink)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--link)" },
]);

const always: Extension = [
  EditorView.cspNonce.of(start.styleNonce),
  history(),
  EditorView.lineWrapping,
  keymap.of([...closeBracketsKeymap, ...keys, ...historyKeymap]),
];

const mistakes = linter(({ state: { doc } }) => {
  const problem = doc.length === 0 ? null : jsonProblem(doc.toString());
  if (problem === null) return [];
  // At the end nothing is left to be underlined: the last character is.
  const from = Math.min(problem.offset, doc.length - 1);
  return [{ from, to: from + 1, severity: "error", message: problem.message }];
});

const asJson: Extension = [
  json(),
  syntaxHighlighting(colors),
  bracketMatching(),
  closeBrackets(),
  lineNumbers(),
  mistakes,
];

type Looks = Omit<CodeMirrorProps, "value" | "onChange" | "plain">;

function extensionsOf({ language, readOnly, placeholder, attributes }: Looks): Extension {
  return [
    language === "json" ? asJson : [],
    EditorState.readOnly.of(readOnly),
    shownWhenEmpty(placeholder),
    EditorView.contentAttributes.of({ spellcheck: String(language === "text"), ...attributes }),
  ];
}
