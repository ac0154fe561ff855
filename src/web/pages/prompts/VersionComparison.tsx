// Two versions side by side: the words of the messages that went and came, and below them every other value that differs.
import type { PromptMessage } from "../../../modules/evaluation/prompts/prompt-content.schema.ts";
import { namedValues } from "../../domain/prompts/parameter-words.ts";
import { useVersionContent } from "../../domain/prompts/version-content.ts";
import { messagesOf, type PromptVersionContent, partsOf } from "../../domain/prompts/version-parts.ts";
import { JsonDiff } from "../../kit/diff/JsonDiff.tsx";
import { TextDiff } from "../../kit/diff/TextDiff.tsx";
import { Section } from "../../kit/Section.tsx";
import { Loaded } from "../../kit/States.tsx";
import { formatDayAndTime } from "../../lib/format.ts";
import { useTimeZone } from "../../lib/time-zone.ts";
import { text } from "../../texts/texts.ts";
import { MessageCard, MessageText } from "./MessageCard.tsx";
import type { ListedVersion } from "./prompts.queries.ts";
import styles from "./VersionComparison.module.css";

interface VersionComparisonProps {
  readonly beforeId: string;
  readonly afterId: string;
  readonly versions: readonly ListedVersion[];
}

export default function VersionComparison({ beforeId, afterId, versions }: VersionComparisonProps) {
  const before = useVersionContent(beforeId);
  const after = useVersionContent(afterId);
  const zone = useTimeZone();
  const sideOf = (versionId: string, otherwise: string): ComparedSide => {
    const version = versions.find(({ id }) => id === versionId);
    return version === undefined ? { name: otherwise, about: "" } : namedSide(version, zone);
  };
  const sides = {
    before: sideOf(beforeId, text("prompts.before")),
    after: sideOf(afterId, text("prompts.after")),
  };
  return (
    <Loaded query={before}>
      {(old) => <Loaded query={after}>{(now) => <Compared before={old} after={now} sides={sides} />}</Loaded>}
    </Loaded>
  );
}

/** `v3`, and its tags, author and day. */
function namedSide({ sequenceNumber, tags, user, createdAt }: ListedVersion, zone: string): ComparedSide {
  const about = [
    ...tags.map(({ name }) => name),
    ...(user === null ? [] : [text("prompts.version.by", { name: user.username })]),
    formatDayAndTime(createdAt, zone),
  ];
  return { name: text("prompts.number", { number: sequenceNumber }), about: about.join(" · ") };
}

interface ComparedSide {
  readonly name: string;
  /** Empty where nothing more is known. */
  readonly about: string;
}

/** `after` may be one that is not saved yet. */
interface ComparedProps {
  readonly before: PromptVersionContent;
  readonly after: PromptVersionContent;
  readonly sides: { readonly before: ComparedSide; readonly after: ComparedSide };
}

export function Compared({ before, after, sides }: ComparedProps) {
  const [old, now] = [messagesOf(before), messagesOf(after)];
  const positions = Array.from({ length: Math.max(old.length, now.length) }, (_, position) => position);
  return (
    <div className={styles.comparison}>
      <div className={styles.sides}>
        {(["before", "after"] as const).map((side) => (
          <p key={side}>
            <b>{sides[side].name}</b> <span className={styles.about}>{sides[side].about}</span>
          </p>
        ))}
      </div>
      <section aria-label={text("prompts.messages")} className={styles.messages}>
        {positions.map((position) => (
          <MessagePair key={position} before={old[position]} after={now[position]} sides={sides} />
        ))}
      </section>
      <Section title={text("prompts.changes")}>
        <JsonDiff
          before={namedValues(before)}
          after={namedValues(after)}
          names={{ key: text("prompts.parameter"), before: sides.before.name, after: sides.after.name }}
          same={text("prompts.changes.none")}
        />
      </Section>
    </div>
  );
}

interface MessagePairProps {
  /** Undefined where there is none at this place. */
  readonly before: PromptMessage | undefined;
  readonly after: PromptMessage | undefined;
  readonly sides: ComparedProps["sides"];
}

function MessagePair({ before, after, sides }: MessagePairProps) {
  const texts = { before: textOf(before), after: textOf(after) };
  return (
    <div className={styles.pair}>
      {(["before", "after"] as const).map((side) => (
        <MessageCard
          key={side}
          role={(side === "before" ? before : after)?.role ?? text("prompts.message.none")}
          beside={sides[side].name}
        >
          <MessageText>
            <TextDiff {...texts} show={side} />
          </MessageText>
        </MessageCard>
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
