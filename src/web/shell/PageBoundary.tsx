// Catches what a page throws while it is drawn, so that the shell stays. Another address gives the next page its chance.
import { Component, type ReactNode } from "react";
import { Button } from "../kit/Button.tsx";
import { EmptyState } from "../kit/States.tsx";
import { failureOf } from "../lib/failure.ts";
import { forgetKeys } from "../lib/held-keys.ts";
import { LoadFailure, retryFailedParts } from "../lib/late.tsx";
import { text } from "../texts/texts.ts";
import { MissingPage } from "./MissingPage.tsx";
import { Page } from "./Page.tsx";

interface PageBoundaryProps {
  readonly path: string;
  readonly children: ReactNode;
}

interface PageBoundaryState {
  readonly error: unknown;
  readonly path: string;
  /** The script of the page was asked for again. */
  readonly retried: boolean;
}

export class PageBoundary extends Component<PageBoundaryProps, PageBoundaryState> {
  override state: PageBoundaryState = { error: null, path: this.props.path, retried: false };

  static getDerivedStateFromError(error: unknown): Partial<PageBoundaryState> {
    return { error };
  }

  static getDerivedStateFromProps(props: PageBoundaryProps, state: PageBoundaryState): PageBoundaryState | null {
    return props.path === state.path ? null : { error: null, path: props.path, retried: false };
  }

  override componentDidCatch(): void {
    forgetKeys();
  }

  private readonly retry = () => {
    retryFailedParts();
    this.setState({ error: null, retried: true });
  };

  override render(): ReactNode {
    const { error, retried } = this.state;
    if (error === null) return this.props.children;
    if (error instanceof LoadFailure) return <MissingPage onRetry={this.retry} retried={retried} />;
    const title = text("shell.crash.title");
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
