// A conversation like a script: the role in the margin, what was said beside it, calls with their arguments below.
import { Bot, type LucideIcon, MessageSquare, Settings2, User, Wrench } from "lucide-react";
import { type ReactNode, useMemo, useState } from "react";
import { JsonView } from "../../../kit/JsonView.tsx";
import { heldJson } from "../../../lib/held-json.ts";
import { text } from "../../../texts/texts.ts";
import { type Line, linesOf } from "../payload/conversation.ts";
import type { Message, Part, ToolCall } from "../payload/messages.ts";
import type { Excerpt } from "../payload/payload.ts";
import { LongText } from "./LongText.tsx";
import { Media } from "./Media.tsx";
import styles from "./Messages.module.css";

/** Fewer repeated messages are not worth a fold. */
const FEWEST_FOLDED = 2;
/** Messages that are drawn at once. */
const AT_ONCE = 60;

const icons: Readonly<Record<string, LucideIcon>> = {
  system: Settings2,
  developer: Settings2,
  user: User,
  assistant: Bot,
  tool: Wrench,
};

export function Messages({ messages, repeated }: { readonly messages: readonly Message[]; readonly repeated: number }) {
  const [unfolded, setUnfolded] = useState(false);
  const [shown, setShown] = useState(AT_ONCE);
  const lines = linesOf(messages);
  // What is new is shown, even where all of it was said before.
  const folded = repeated >= FEWEST_FOLDED ? Math.min(repeated, messages.length - 1) : 0;
  const first = unfolded ? 0 : folded;
  const left = lines.length - first - shown;
  return (
    <ol className={styles.messages}>
      {folded > 0 && (
        <li>
          <button type="button" className={styles.fold} aria-expanded={unfolded} onClick={() => setUnfolded(!unfolded)}>
            {unfolded ? text("span.messages.hide") : text("span.messages.repeated", { count: folded })}
          </button>
        </li>
      )}
      {lines.slice(first, first + shown).map((line) => (
        <MessageLine key={line.position} line={line} faint={line.position < folded} />
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

function MessageLine({ line: { message, answered }, faint }: { readonly line: Line; readonly faint: boolean }) {
  const { role, name, parts, calls } = message;
  return (
    <li>
      <Spoken speaker={role} faint={faint}>
        {(name !== null || answered !== null) && (
          <small className={styles.name}>
            {answered === null ? <bdi>{name}</bdi> : `↳ ${text("span.message.answers", { name: answered.name })}`}
          </small>
        )}
        <Parts parts={parts} calls={calls} />
        {parts.length === 0 && calls.length === 0 && <p className={styles.empty}>{text("span.message.empty")}</p>}
      </Spoken>
    </li>
  );
}

interface SpokenProps {
  /** The role of the message. */
  readonly speaker: string;
  readonly faint?: boolean;
  readonly children: ReactNode;
}

/** Who speaks in the margin, and beside it what is said. */
export function Spoken({ speaker, faint = false, children }: SpokenProps) {
  const Icon = icons[speaker] ?? MessageSquare;
  return (
    <div className={styles.message} data-role={speaker} data-faint={faint}>
      <div className={styles.who}>
        <Icon aria-hidden="true" />
        <bdi>{speaker}</bdi>
      </div>
      <div className={styles.said}>{children}</div>
    </div>
  );
}

export function Parts({ parts, calls }: Pick<Message, "parts" | "calls">) {
  return (
    <>
      {parts.map((part, index) => (
        <MessagePart key={index} part={part} />
      ))}
      {calls.map((call, index) => (
        <Call key={index} call={call} />
      ))}
    </>
  );
}

function MessagePart({ part }: { readonly part: Part }) {
  if (part.type === "other") {
    return (
      <div className={styles.given}>
        <JsonView value={part.value} open={1} />
      </div>
    );
  }
  if ("url" in part) return <Media media={part} />;
  if (part.type === "text") return <Said excerpt={part.excerpt} />;
  return (
    <details className={styles.reasoning}>
      <summary>{text("span.message.reasoning")}</summary>
      <LongText excerpt={part.excerpt} formatted />
    </details>
  );
}

/** Results of tools are JSON more often than not. */
function Said({ excerpt }: { readonly excerpt: Excerpt }) {
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
