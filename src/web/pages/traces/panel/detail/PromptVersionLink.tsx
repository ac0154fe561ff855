// The version of a prompt that a span was made with, as a link to its page. Nothing where the id is that of no version here.
import { Link } from "wouter";
import { graphql } from "../../../../lib/graphql.ts";
import { linkTo } from "../../../../lib/links.ts";
import { useGraphql } from "../../../../lib/queries.ts";
import { text } from "../../../../texts/texts.ts";
import styles from "./PromptVersionLink.module.css";

const versionNamed = graphql(`
  query PromptVersionNamed($id: ID!) {
    node(id: $id) { ... on PromptVersion { id sequenceNumber prompt { id name } } }
  }
`);

export default function PromptVersionLink({ versionId }: { readonly versionId: string }) {
  const { data } = useGraphql(versionNamed, { id: versionId });
  const version = data?.node;
  if (!version || !("prompt" in version) || version.prompt === null) return null;
  const { id, sequenceNumber: number, prompt } = version;
  return (
    <span>
      {text("span.fact.prompt")}{" "}
      <Link className={styles.link} href={linkTo("promptVersion", { promptId: prompt.id, versionId: id })}>
        {text("prompts.of.span", { name: prompt.name, number })}
      </Link>
    </span>
  );
}
