// For addresses that lead nowhere, and for things that are gone.
import { LinkButton } from "../kit/Button.tsx";
import { EmptyState } from "../kit/States.tsx";
import { linkTo } from "../lib/links.ts";
import { text } from "../texts/texts.ts";
import { Page } from "./Page.tsx";

export function NotFoundPage() {
  const title = text("shell.notfound.title");
  return (
    <Page title={title}>
      <EmptyState
        title={title}
        action={<LinkButton to={linkTo("projects")}>{text("shell.notfound.action")}</LinkButton>}
      >
        <p>{text("shell.notfound.text")}</p>
      </EmptyState>
    </Page>
  );
}
