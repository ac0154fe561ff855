// The head of a trace: what it is, how it went, and where to go from here. It wraps, and hides nothing.
import { Copy, Download, Fingerprint, Link2 } from "lucide-react";
import { CHOSEN_TURN } from "../../../domain/trace/selected.ts";
import type { TraceTree } from "../../../domain/trace/tree.ts";
import { ErrorsButton, PanelHead, UserName } from "../../../explorer/PanelHead.tsx";
import { PanelButtons, type PanelNavigation, type PanelTexts } from "../../../explorer/panel-navigation.tsx";
import { Stat } from "../../../explorer/Stat.tsx";
import { IconButton, LinkButton } from "../../../kit/Button.tsx";
import { copyText } from "../../../kit/CopyButton.tsx";
import { Menu, MenuItem, MenuSeparator } from "../../../kit/Menu.tsx";
import { showToast } from "../../../kit/Toast.tsx";
import { formatCount, formatDuration } from "../../../lib/format.ts";
import { linkTo } from "../../../lib/links.ts";
import { text } from "../../../texts/texts.ts";
import { otlpText, saveOtlp } from "./otlp.ts";
import type { TraceFigures } from "./trace-state.ts";

export const traceWords: PanelTexts = {
  group: "trace.keys",
  previous: "trace.previous",
  next: "trace.next",
  close: "trace.close",
};

interface TraceHeaderProps {
  readonly projectId: string;
  readonly trace: TraceFigures;
  readonly tree: TraceTree;
  readonly complete: boolean;
  readonly navigation: PanelNavigation;
  readonly onNextError: () => void;
}

export function TraceHeader({ projectId, trace, tree, complete, navigation, onNextError }: TraceHeaderProps) {
  const name = tree.representative?.span?.name || trace.traceId;
  const tokens = tokensOf(tree);
  const turn = new URLSearchParams({ [CHOSEN_TURN]: trace.traceId });
  return (
    <PanelHead
      sort={text("trace.title")}
      startTime={trace.startTime}
      name={name}
      actions={
        <>
          {trace.session !== null && (
            <LinkButton
              to={`${linkTo("session", { projectId, sessionId: trace.session.id })}?${turn}`}
              title={trace.session.sessionId}
            >
              {text("trace.session")}
            </LinkButton>
          )}
          <CopyMenu projectId={projectId} trace={trace} />
          <PanelButtons navigation={navigation} words={traceWords} />
        </>
      }
    >
      <Stat label={text("trace.status")}>
        {trace.errorCount > 0 ? (
          <ErrorsButton title={text("trace.errors.next")} onClick={onNextError}>
            {text("trace.errors", { count: trace.errorCount })}
          </ErrorsButton>
        ) : (
          statusText(tree)
        )}
      </Stat>
      <Stat label={text("trace.latency")}>{formatDuration(trace.latencyMs)}</Stat>
      {(tokens > 0 || !complete) && <Stat label={text("trace.tokens")}>{complete ? formatCount(tokens) : "…"}</Stat>}
      {trace.userId !== null && (
        <Stat label={text("trace.user")}>
          <UserName id={trace.userId} />
        </Stat>
      )}
    </PanelHead>
  );
}

function statusText(tree: TraceTree): string {
  return text(tree.representative?.span?.status === "UNSET" ? "trace.status.unset" : "trace.status.ok");
}

/** Only model calls count tokens of their own, so that nothing is counted twice. */
function tokensOf(tree: TraceTree): number {
  let tokens = 0;
  for (const { span } of tree.byKey.values()) tokens += span?.tokens ?? 0;
  return tokens;
}

function CopyMenu({ projectId, trace }: { readonly projectId: string; readonly trace: TraceFigures }) {
  const fail = (error: Error) => showToast(error.message, "error");
  const copy = async (value: string | Promise<string>) => {
    const done = await Promise.resolve(value).then(copyText, (error: Error) => error);
    if (done instanceof Error) fail(done);
    else showToast(text(done ? "trace.copied" : "trace.copy.failed"), done ? "plain" : "error");
  };
  return (
    <Menu trigger={<IconButton label={text("trace.copy")} icon={<Copy />} />}>
      <MenuItem icon={<Fingerprint />} onSelect={() => void copy(trace.traceId)}>
        {text("trace.copy.id")}
      </MenuItem>
      <MenuItem icon={<Link2 />} onSelect={() => void copy(location.href)}>
        {text("trace.copy.link")}
      </MenuItem>
      <MenuSeparator />
      <MenuItem icon={<Copy />} onSelect={() => void copy(otlpText(projectId, trace.projectName, trace.traceId))}>
        {text("trace.copy.otlp")}
      </MenuItem>
      <MenuItem
        icon={<Download />}
        onSelect={() => void saveOtlp(projectId, trace.projectName, trace.traceId).catch(fail)}
      >
        {text("trace.copy.otlp.download")}
      </MenuItem>
    </Menu>
  );
}
