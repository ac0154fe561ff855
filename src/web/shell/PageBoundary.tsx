// Catches what a page throws while it is drawn, so that the shell stays. Another address gives the next page its chance.
import { Component, type ReactNode } from "react";
import { Button } from "../kit/Button.tsx";
import { EmptyState } from "../kit/States.tsx";
import { failureOf } from "../lib/failure.ts";
import { text } from "../texts/texts.ts";
import { Page } from "./Page.tsx";

interface PageBoundaryProps {
  readonly path: string;
  readonly children: ReactNode;
}

interface PageBoundaryState {
  readonly error: unknown;
  readonly path: string;
}

export class PageBoundary extends Component<PageBoundaryProps, PageBoundaryState> {
  override state: PageBoundaryState = { error: null, path: this.props.path };

  static getDerivedStateFromError(error: unknown): Partial<PageBoundaryState> {
    return { error };
  }

  static getDerivedStateFromProps(props: PageBoundaryProps, state: PageBoundaryState): PageBoundaryState | null {
    return props.path === state.path ? null : { error: null, path: props.path };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    const title = text("shell.crash.title");
    // A script that is gone after an upgrade comes back with the page.
    const action = <Button onClick={() => location.reload()}>{text("shell.crash.action")}</Button>;
    return (
      <Page title={title}>
        <EmptyState title={title} action={action}>
          <p>{text("shell.crash.text")}</p>
          <p>{failureOf(error).message}</p>
        </EmptyState>
      </Page>
    );
  }
}
