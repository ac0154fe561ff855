// A card by what it holds: its title, its views, and whether it is open at first. Errors and messages are; the rest is
// folded.
import { useMemo } from "react";
import { LongText } from "../../../../domain/trace/content/LongText.tsx";
import { FoldedExcerpt, GivenMessages, Messages, SentMessages } from "../../../../domain/trace/content/Messages.tsx";
import { useSpan } from "../../../../domain/trace/content/span-context.ts";
import { readWhole, useWholeText } from "../../../../domain/trace/content/whole-text.ts";
import { cardJson, cardText } from "../../../../domain/trace/payload/card-text.ts";
import { type Card as CardContent, isSideCard, type SideCard } from "../../../../domain/trace/payload/cards.ts";
import { repeatedCount } from "../../../../domain/trace/payload/conversation.ts";
import { messagesIn } from "../../../../domain/trace/payload/messages.ts";
import { type Excerpt, heldExcerpt } from "../../../../domain/trace/payload/payload.ts";
import { jsonText } from "../../../../domain/trace/payload/values.ts";
import { CodeView } from "../../../../kit/CodeView.tsx";
import { JsonView } from "../../../../kit/JsonView.tsx";
import { Skeleton } from "../../../../kit/States.tsx";
import { formatBytes } from "../../../../lib/format.ts";
import { heldJson } from "../../../../lib/held-json.ts";
import { Late, late } from "../../../../lib/late.tsx";
import { type LabelKey, text } from "../../../../texts/texts.ts";
import { Attributes, FlatAttributes } from "./Attributes.tsx";
import styles from "./bodies.module.css";
import { Card, type CardView } from "./Card.tsx";
import { ErrorBody } from "./ErrorBody.tsx";
import { Events } from "./Events.tsx";
import { Parameters } from "./Parameters.tsx";
import { Tools } from "./Tools.tsx";

const { Part: Documents } = late(() => import("./Documents.tsx"));

const titles: Readonly<Record<CardContent["id"], LabelKey>> = {
  error: "span.card.error",
  input: "span.card.input",
  output: "span.card.output",
  tools: "span.card.tools",
  documents: "span.card.documents",
  parameters: "span.card.parameters",
  metadata: "span.card.metadata",
  events: "span.card.events",
  attributes: "span.card.attributes",
};
const openAtFirst: ReadonlySet<CardContent["id"]> = new Set(["error", "input", "output", "documents"] as const);

export function CardOf({ card, spanStartUs }: { readonly card: CardContent; readonly spanStartUs: number }) {
  const { spanId, previous } = useSpan();
  const repeated = card.id === "input" && previous !== null ? repeatedCount(card.messages, previous) : 0;
  const title = card.id === "error" ? errorTitle(card) : text(titles[card.id]);
  const note = noteOf(card);
  return (
    <Card
      id={card.id}
      title={title}
      {...(note === null ? {} : { note })}
      {...(card.id === "error" ? { tone: "error" as const } : {})}
      views={isSideCard(card) ? sideViews(card, repeated) : viewsOf(card, spanStartUs)}
      copy={() => wholeText(card, spanId)}
      open={openAtFirst.has(card.id)}
    />
  );
}

/** Of a value that is shown in part the whole is copied. */
function wholeText(card: CardContent, spanId: string): string | Promise<string> {
  const isCut = isSideCard(card) && card.messages.length === 0 && card.value?.wholeBytes != null;
  return isCut ? readWhole(spanId, card.value!) : cardText(card);
}

type ErrorContent = Extract<CardContent, { readonly id: "error" }>;

function errorTitle({ exceptions }: ErrorContent): string {
  return exceptions[0]?.type ?? text("span.card.error");
}

function noteOf(card: CardContent): string | null {
  switch (card.id) {
    case "input":
    case "output": {
      if (card.prompts.length > 0) return text("span.prompts", { count: card.prompts.length });
      if (card.messages.length === 0) {
        const bytes = card.value?.wholeBytes ?? null;
        return bytes === null ? null : text("span.text.part", { size: formatBytes(bytes) });
      }
      return text("span.messages", { count: card.messages.length });
    }
    case "tools":
      return [
        String(card.tools.length),
        formatBytes(JSON.stringify(cardJson(card)).length),
        card.tools.map(({ name }) => name).join(", "),
      ].join(" · ");
    case "documents":
      return String(card.lists[0]?.documents.length ?? card.embeddings.length);
    case "parameters":
      return Object.keys(card.values).join(", ");
    case "events":
      return String(card.events.length);
    case "attributes":
      return String(card.count);
    default:
      return null;
  }
}

const jsonView = (card: CardContent): CardView => ({
  key: "json",
  render: (wrap) => (
    <div className={styles.padded}>
      <CodeView value={jsonText(cardJson(card))} label={text(titles[card.id])} wrap={wrap} copy={false} />
    </div>
  ),
});

const textView = (card: CardContent): CardView => ({
  key: "text",
  render: (wrap) => (
    <div className={styles.padded}>
      <CodeView value={cardText(card)} label={text(titles[card.id])} wrap={wrap} copy={false} />
    </div>
  ),
});

function sideViews(card: SideCard, repeated: number): CardView[] {
  const { messages, prompts, value, json } = card;
  const formatted: CardView = {
    key: "formatted",
    render: () => {
      if (messages.length > 0 && card.id === "input") return <SentMessages messages={messages} repeated={repeated} />;
      if (messages.length > 0) return <GivenMessages messages={messages} />;
      if (json !== undefined) {
        return (
          <div className={styles.padded}>
            <JsonView value={json} />
          </div>
        );
      }
      return (
        <div className={styles.padded}>
          {prompts.length > 0
            ? prompts.map((prompt, index) => <Given key={index} excerpt={heldExcerpt(prompt)} />)
            : value !== null && (card.id === "input" ? <Given excerpt={value} /> : <SideValue excerpt={value} />)}
        </div>
      );
    },
  };
  const plain: CardView =
    messages.length > 0 || prompts.length > 0 || value === null
      ? textView(card)
      : {
          key: "text",
          render: (wrap) => (
            <div className={styles.padded}>
              <LongText excerpt={value} wrap={wrap} />
            </div>
          ),
        };
  return json !== undefined || messages.length > 0 ? [formatted, plain, jsonView(card)] : [formatted, plain];
}

/** Lines of an input that are shown at once: the output should be in sight, too. */
const INPUT_LINES = 8;

function Given({ excerpt }: { readonly excerpt: Excerpt }) {
  return <FoldedExcerpt excerpt={excerpt} most={INPUT_LINES} whole={<SideValue excerpt={excerpt} />} />;
}

/** A value that is no conversation and no JSON as far as it is known: its end may tell otherwise. */
function SideValue({ excerpt }: { readonly excerpt: Excerpt }) {
  const whole = useWholeText(excerpt);
  const held = useMemo(() => (whole.whole === null ? undefined : heldJson(whole.whole)), [whole.whole]);
  if (held === undefined) return <LongText excerpt={excerpt} whole={whole} formatted />;
  const messages = messagesIn(held);
  return messages === null ? <JsonView value={held} /> : <Messages messages={messages} />;
}

function viewsOf(card: Exclude<CardContent, SideCard>, spanStartUs: number): CardView[] {
  switch (card.id) {
    case "error":
      return [{ key: "formatted", render: () => <ErrorBody {...card} /> }];
    case "tools":
      return [{ key: "formatted", render: () => <Tools tools={card.tools} /> }, jsonView(card)];
    case "documents":
      return [
        {
          key: "formatted",
          render: () => (
            <Late fallback={<Skeleton lines={3} />}>
              <Documents {...card} />
            </Late>
          ),
        },
        textView(card),
        jsonView(card),
      ];
    case "parameters":
      return [{ key: "formatted", render: () => <Parameters {...card} /> }, jsonView(card)];
    case "metadata":
      return [
        {
          key: "formatted",
          render: () => (
            <div className={styles.padded}>
              <JsonView value={card.value} />
            </div>
          ),
        },
        jsonView(card),
      ];
    case "events":
      return [
        { key: "formatted", render: () => <Events events={card.events} spanStartUs={spanStartUs} /> },
        jsonView(card),
      ];
    case "attributes":
      return [
        { key: "tree", render: () => <Attributes attributes={card.attributes} /> },
        { key: "flat", render: () => <FlatAttributes attributes={card.attributes} /> },
        jsonView(card),
      ];
  }
}
