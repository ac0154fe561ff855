// Two versions side by side: the words of the messages that went and came, and below them every other value that differs.
import type { Json } from "../../../kernel/json.ts";
import type { PromptMessage } from "../../../modules/prompts/prompt-content.schema.ts";
import { JsonDiff } from "../../kit/diff/JsonDiff.tsx";
import { TextDiff } from "../../kit/diff/TextDiff.tsx";
import { Section } from "../../kit/Section.tsx";
import { Loaded } from "../../kit/States.tsx";
import { text } from "../../texts/texts.ts";
import styles from "./VersionComparison.module.css";
import { useVersionContent } from "./version-content.ts";
import { messagesOf, type PromptVersionContent, partsOf } from "./version-parts.ts";

interface VersionComparisonProps {
  readonly beforeId: string;
  readonly afterId: string;
}

export default function VersionComparison({ beforeId, afterId }: VersionComparisonProps) {
  const before = useVersionContent(beforeId);
  const after = useVersionContent(afterId);
  return (
    <Loaded query={before}>
      {(old) => <Loaded query={after}>{(now) => <Compared before={old} after={now} />}</Loaded>}
    </Loaded>
  );
}

/** `after` may be one that is not saved yet. */
interface ComparedProps {
  readonly before: PromptVersionContent;
  readonly after: PromptVersionContent;
}

export function Compared({ before, after }: ComparedProps) {
  const [old, now] = [messagesOf(before), messagesOf(after)];
  const positions = Array.from({ length: Math.max(old.length, now.length) }, (_, position) => position);
  return (
    <div className={styles.comparison}>
      <section aria-label={text("prompts.messages")} className={styles.messages}>
        {positions.map((position) => (
          <MessagePair key={position} before={old[position]} after={now[position]} />
        ))}
      </section>
      <Section title={text("prompts.changes")}>
        <JsonDiff
          before={otherThanMessages(before)}
          after={otherThanMessages(after)}
          names={{ key: text("prompts.parameter"), before: text("prompts.before"), after: text("prompts.after") }}
          same={text("prompts.changes.none")}
        />
      </Section>
    </div>
  );
}

function otherThanMessages({ id: _id, template: _template, ...rest }: PromptVersionContent): Json {
  return rest as unknown as Json;
}

interface MessagePairProps {
  /** Undefined where there is none at this place. */
  readonly before: PromptMessage | undefined;
  readonly after: PromptMessage | undefined;
}

function MessagePair({ before, after }: MessagePairProps) {
  const texts = { before: textOf(before), after: textOf(after) };
  return (
    <div className={styles.pair}>
      {(["before", "after"] as const).map((side) => (
        <article key={side} className={styles.message}>
          <h3 className={styles.role}>{(side === "before" ? before : after)?.role ?? text("prompts.message.none")}</h3>
          <p className={styles.text}>
            <TextDiff {...texts} show={side} />
          </p>
        </article>
      ))}
    </div>
  );
}

/** What a message says, each part on lines of its own; what is no text as JSON. */
function textOf(message: PromptMessage | undefined): string {
  if (message === undefined) return "";
  return partsOf(message)
    .map((part) => (part.type === "text" ? part.text : JSON.stringify(part, null, 2)))
    .join("\n");
}
