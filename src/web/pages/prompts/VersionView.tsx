// What a version says: its messages with the variables marked, its model with the parameters, its tools and the form of the answer.
import type { TemplateFormat } from "../../../model/prompt.ts";
import { variablesOf } from "../../../model/template-variables.ts";
import type { MessagePart, PromptMessage, Tools } from "../../../modules/evaluation/prompts/prompt-content.schema.ts";
import { parameterWords } from "../../domain/prompts/parameter-words.ts";
import { useVersionContent } from "../../domain/prompts/version-content.ts";
import {
  messagesOf,
  type PromptVersionContent,
  parametersOf,
  partsOf,
  piecesOf,
} from "../../domain/prompts/version-parts.ts";
import { JsonView } from "../../kit/JsonView.tsx";
import { Section } from "../../kit/Section.tsx";
import { Badge, Loaded } from "../../kit/States.tsx";
import { text } from "../../texts/texts.ts";
import { MessageCard, MessageText } from "./MessageCard.tsx";
import styles from "./VersionView.module.css";

export function VersionView({ versionId }: { readonly versionId: string }) {
  return <Loaded query={useVersionContent(versionId)}>{(content) => <Content content={content} />}</Loaded>;
}

function Content({ content }: { readonly content: PromptVersionContent }) {
  const { template_format: format, tools, response_format: responseFormat } = content;
  const messages = messagesOf(content);
  return (
    <div className={styles.view}>
      {content.description !== "" && <p className={styles.note}>{content.description}</p>}
      <section aria-label={text("prompts.messages")} className={styles.messages}>
        {messages.map((message, position) => (
          <Message key={`${position} ${message.role}`} message={message} format={format} />
        ))}
      </section>
      <Section title={text("prompts.variables")} hint={text(`prompts.template.${format}`)}>
        <Variables messages={messages} format={format} />
      </Section>
      <Section
        title={text("prompts.parameters")}
        hint={`${text(`prompts.provider.${content.model_provider}`)} ${content.model_name}`}
      >
        <Parameters content={content} />
      </Section>
      {tools !== undefined && (
        <Section title={text("prompts.tools")}>
          <ToolList tools={tools} />
        </Section>
      )}
      {responseFormat !== undefined && (
        <Section title={text("prompts.format")}>
          <JsonView value={responseFormat.json_schema} />
        </Section>
      )}
    </div>
  );
}

interface MessageProps {
  readonly message: PromptMessage;
  readonly format: TemplateFormat;
}

function Message({ message, format }: MessageProps) {
  return (
    <MessageCard role={message.role}>
      {partsOf(message).map((part, position) => (
        <Part key={`${position} ${part.type}`} part={part} format={format} />
      ))}
    </MessageCard>
  );
}

function Part({ part, format }: { readonly part: MessagePart; readonly format: TemplateFormat }) {
  switch (part.type) {
    case "text":
      return <MarkedText value={part.text} format={format} />;
    case "tool_call":
      return (
        <div className={styles.call}>
          <p className={styles.note}>{text("prompts.call", { name: part.tool_call.name })}</p>
          <JsonView value={part.tool_call.arguments} />
        </div>
      );
    case "tool_result":
      return (
        <div className={styles.call}>
          <p className={styles.note}>{text("prompts.result", { id: part.tool_call_id })}</p>
          <JsonView value={part.tool_result} />
        </div>
      );
  }
}

/** A text with its variables as chips. */
function MarkedText({ value, format }: { readonly value: string; readonly format: TemplateFormat }) {
  return (
    <MessageText>
      {piecesOf(value, format).map(({ kind, text: piece, start }) =>
        kind !== "variable" ? (
          piece
        ) : (
          <mark key={start} className={styles.variable}>
            {piece}
          </mark>
        ),
      )}
    </MessageText>
  );
}

function Variables({
  messages,
  format,
}: {
  readonly messages: readonly PromptMessage[];
  readonly format: TemplateFormat;
}) {
  const texts = messages.flatMap((message) =>
    partsOf(message).flatMap((part) => (part.type === "text" ? [part.text] : [])),
  );
  const names = [...new Set(texts.flatMap((each) => variablesOf(each, format)))];
  if (names.length === 0) return <p className={styles.note}>{text("prompts.variables.none")}</p>;
  return (
    <div className={styles.chips}>
      {names.map((name) => (
        <span key={name} className={styles.variable}>
          {name}
        </span>
      ))}
    </div>
  );
}

function Parameters({ content }: { readonly content: PromptVersionContent }) {
  const parameters = Object.entries(parametersOf(content));
  if (parameters.length === 0) return <p className={styles.note}>{text("prompts.parameters.none")}</p>;
  return (
    <table className={styles.table}>
      <thead className="visually-hidden">
        <tr>
          <th>{text("prompts.parameter")}</th>
          <th>{text("prompts.value")}</th>
        </tr>
      </thead>
      <tbody>
        {parameters.map(([name, value]) => (
          <tr key={name}>
            <th scope="row" title={name}>
              {parameterWords(name)}
            </th>
            <td>
              <JsonView value={value} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function ToolList({ tools: { tools, ...choices } }: { readonly tools: Tools }) {
  const { type: _type, ...rest } = choices;
  return (
    <>
      {tools.map((tool, position) =>
        tool.type === "function" ? (
          <article key={`${position} ${tool.function.name}`} className={styles.tool}>
            <h3 className={styles.toolName}>{tool.function.name}</h3>
            {tool.function.description !== undefined && <p>{tool.function.description}</p>}
            {tool.function.parameters !== undefined && <JsonView value={tool.function.parameters} />}
          </article>
        ) : (
          <article key={`${position} raw`} className={styles.tool}>
            <JsonView value={tool.raw} />
          </article>
        ),
      )}
      {Object.entries(rest).map(([name, value]) => (
        <p key={name}>
          <Badge>{name}</Badge> <JsonView value={value} />
        </p>
      ))}
    </>
  );
}
