// A conversation like a script: the role in the margin, the message beside it, calls with their arguments below.
import { Bot, type LucideIcon, MessageSquare, Settings2, User, Wrench } from "lucide-react";
import { type ReactNode, useMemo, useState } from "react";
import { FoldedLine, FoldedText, sizeOf, sizeText } from "../../../kit/FoldedText.tsx";
import { JsonView } from "../../../kit/JsonView.tsx";
import { formatBytes } from "../../../lib/format.ts";
import { heldJson } from "../../../lib/held-json.ts";
import { text } from "../../../texts/texts.ts";
import { answeredOf, type Line, linesOf, scriptOf, sentOf, sizeOfMessages } from "../payload/conversation.ts";
import type { Message, Part, ToolCall } from "../payload/messages.ts";
import type { Excerpt } from "../payload/payload.ts";
import { LongText } from "./LongText.tsx";
import { Media } from "./Media.tsx";
import styles from "./Messages.module.css";

/** Messages that are drawn at once. */
const AT_ONCE = 60;
/** Lines of a text that stands among others; the last message of the user has more, and the answer has all. */
const FEW_LINES = 3;
const ASKED_LINES = 8;
/** Messages between question and answer that are shown, where there is no call before that had them. */
const MOST_SINCE = 3;

const icons: Readonly<Record<string, LucideIcon>> = {
  system: Settings2,
  developer: Settings2,
  user: User,
  assistant: Bot,
  tool: Wrench,
};

/** The messages in their order. */
export function Messages({ messages }: { readonly messages: readonly Message[] }) {
  return <Lines lines={linesOf(messages)} />;
}

interface SentProps {
  readonly messages: readonly Message[];
  /** How many of the first ones the call before had already. */
  readonly repeated: number;
}

/** What was sent to a model. What was asked is shown, what surrounds it is a line each with its size. */
export function SentMessages({ messages, repeated }: SentProps) {
  const { system, earlier, asked, since } = sentOf(linesOf(messages));
  const isKnown = ({ position }: Line) => position < repeated;
  const known = repeated > 0 ? since.filter(isKnown) : since.slice(0, Math.max(0, since.length - MOST_SINCE));
  // What is new is shown, even where all of it occurred before.
  const folded = known.length === since.length ? known.slice(0, -1) : known;
  return (
    <div className={styles.messages}>
      <Folded title={text("span.messages.system")} lines={system} isKnown={false} />
      <Folded title={text("span.messages.earlier")} lines={earlier} isKnown={earlier.every(isKnown)} />
      {asked !== null && (
        <ol className={styles.list}>
          <MessageLine line={asked} most={ASKED_LINES} />
        </ol>
      )}
      <Folded title={text("span.messages.since")} lines={folded} isKnown={folded.every(isKnown)} />
      <Lines lines={since.slice(folded.length)} most={FEW_LINES} />
    </div>
  );
}

/** What came back. Of a whole conversation the answer to its last question is shown. */
export function GivenMessages({ messages }: { readonly messages: readonly Message[] }) {
  const lines = linesOf(messages);
  const answered = answeredOf(lines);
  if (answered === null) return <Lines lines={lines} />;
  return (
    <div className={styles.messages}>
      <Folded title={text("span.messages.earlier")} lines={answered.before} isKnown={false} />
      <Folded title={text("span.messages.since")} lines={answered.since.slice(0, -1)} isKnown={false} />
      <Lines lines={answered.since.slice(-1)} />
    </div>
  );
}

interface FoldedProps {
  readonly title: string;
  readonly lines: readonly Line[];
  /** The call before had all of it already. */
  readonly isKnown: boolean;
}

function Folded({ title, lines, isKnown }: FoldedProps) {
  if (lines.length === 0) return null;
  const messages = lines.map(({ message }) => message);
  const only = messages.length === 1 && messages[0]!.parts.length > 0 ? messages[0] : undefined;
  const script = scriptOf(messages);
  const note = [
    only === undefined ? text("span.messages", { count: messages.length }) : null,
    only === undefined ? formatBytes(sizeOfMessages(messages).bytes) : sizeText(sizeOfMessages(messages)),
    isKnown ? text("span.messages.known") : null,
  ];
  return (
    <FoldedLine
      title={title}
      note={note.filter((each) => each !== null).join(" · ")}
      preview={script.slice(script.indexOf("\n") + 1, PREVIEW)}
      searched={script}
    >
      <Lines lines={lines} />
    </FoldedLine>
  );
}

/** Characters of a folded line's beginning. */
const PREVIEW = 240;

interface LinesProps {
  readonly lines: readonly Line[];
  /** Lines of each text that are shown at once; all of them where it is absent. */
  readonly most?: number;
}

function Lines({ lines, most }: LinesProps) {
  const [shown, setShown] = useState(AT_ONCE);
  const left = lines.length - shown;
  if (lines.length === 0) return null;
  return (
    <ol className={styles.list}>
      {lines.slice(0, shown).map((line) => (
        <MessageLine key={line.position} line={line} {...(most === undefined ? {} : { most })} />
      ))}
      {left > 0 && (
        <li>
          <button type="button" className={styles.fold} onClick={() => setShown(shown + 10 * AT_ONCE)}>
            {text("kit.json.more", { count: Math.min(left, 10 * AT_ONCE) })}
          </button>
        </li>
      )}
    </ol>
  );
}

function MessageLine({ line: { message, answered }, most }: { readonly line: Line; readonly most?: number }) {
  const { role, name, parts, calls } = message;
  return (
    <li>
      <Spoken speaker={role}>
        {(name !== null || answered !== null) && (
          <small className={styles.name}>
            {answered === null ? <bdi>{name}</bdi> : `↳ ${text("span.message.answers", { name: answered.name })}`}
          </small>
        )}
        <Parts parts={parts} calls={calls} {...(most === undefined ? {} : { most })} />
        {parts.length === 0 && calls.length === 0 && <p className={styles.empty}>{text("span.message.empty")}</p>}
      </Spoken>
    </li>
  );
}

interface SpokenProps {
  /** The role of the message. */
  readonly speaker: string;
  readonly children: ReactNode;
}

/** The role in the margin, and the message beside it. */
export function Spoken({ speaker, children }: SpokenProps) {
  const Icon = icons[speaker] ?? MessageSquare;
  return (
    <div className={styles.message} data-role={speaker}>
      <div className={styles.who}>
        <Icon aria-hidden="true" />
        <bdi>{speaker}</bdi>
      </div>
      <div className={styles.content}>{children}</div>
    </div>
  );
}

interface PartsProps extends Pick<Message, "parts" | "calls"> {
  readonly most?: number;
}

export function Parts({ parts, calls, most }: PartsProps) {
  return (
    <>
      {parts.map((part, index) => (
        <MessagePart key={index} part={part} most={most} />
      ))}
      {calls.map((call, index) => (
        <Call key={index} call={call} />
      ))}
    </>
  );
}

function MessagePart({ part, most }: { readonly part: Part; readonly most: number | undefined }) {
  if (part.type === "other") {
    return (
      <div className={styles.given}>
        <JsonView value={part.value} open={1} />
      </div>
    );
  }
  if ("url" in part) return <Media media={part} />;
  if (part.type === "text") {
    const message = <MessageText excerpt={part.excerpt} />;
    return most === undefined ? message : <FoldedExcerpt excerpt={part.excerpt} most={most} whole={message} />;
  }
  return (
    <details className={styles.reasoning}>
      <summary>{text("span.message.reasoning")}</summary>
      <LongText excerpt={part.excerpt} formatted />
    </details>
  );
}

interface FoldedExcerptProps {
  readonly excerpt: Excerpt;
  readonly most: number;
  readonly whole: ReactNode;
}

export function FoldedExcerpt({ excerpt: { text: known, wholeBytes }, most, whole }: FoldedExcerptProps) {
  const size = useMemo(
    () => (wholeBytes === null ? sizeOf(known) : { bytes: wholeBytes, lines: null }),
    [known, wholeBytes],
  );
  return (
    <FoldedText value={known} size={size} lines={most}>
      {whole}
    </FoldedText>
  );
}

/** Results of tools are JSON more often than not. */
function MessageText({ excerpt }: { readonly excerpt: Excerpt }) {
  const held = useMemo(() => (excerpt.wholeBytes === null ? heldJson(excerpt.text) : undefined), [excerpt]);
  if (held === undefined) return <LongText excerpt={excerpt} formatted />;
  return (
    <div className={styles.given}>
      <JsonView value={held} />
    </div>
  );
}

function Call({ call: { name, given, id } }: { readonly call: ToolCall }) {
  const isEmpty = given === null || given === "" || (typeof given === "object" && Object.keys(given).length === 0);
  return (
    <div className={styles.call}>
      <div className={styles.called} title={id ?? undefined}>
        <span aria-hidden="true">→</span> <bdi>{name}</bdi>
      </div>
      {!isEmpty && (
        <div className={styles.given}>
          {typeof given === "string" ? (
            <LongText excerpt={{ text: given, place: null, wholeBytes: null }} mono />
          ) : (
            <JsonView value={given} />
          )}
        </div>
      )}
    </div>
  );
}
