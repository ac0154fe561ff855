// The head of a trace: what it is, how it went, and where to go from here.
import {
  ClipboardCheck,
  Columns2,
  Copy,
  Download,
  Ellipsis,
  Fingerprint,
  Link2,
  ListPlus,
  MessagesSquare,
} from "lucide-react";
import { useLocation } from "wouter";
import { CostFigure } from "../../../domain/costs/Cost.tsx";
import { useAddToDataset } from "../../../domain/datasets/AddToDatasetButton.tsx";
import { failureWords } from "../../../domain/trace/failures.ts";
import { KindGlyph } from "../../../domain/trace/KindGlyph.tsx";
import { CHOSEN_TURN } from "../../../domain/trace/selected.ts";
import type { TraceTree } from "../../../domain/trace/tree.ts";
import { ErrorsButton, PanelHead, UserName } from "../../../explorer/PanelHead.tsx";
import { PanelButtons, type PanelNavigation } from "../../../explorer/panel-navigation.tsx";
import { Stat } from "../../../explorer/Stat.tsx";
import { IconButton, LinkButton } from "../../../kit/Button.tsx";
import { copyText } from "../../../kit/CopyButton.tsx";
import { Menu, MenuItem, MenuLink, MenuSeparator } from "../../../kit/Menu.tsx";
import { showToast } from "../../../kit/Toast.tsx";
import { formatCompact, formatCount, formatDuration } from "../../../lib/format.ts";
import { linkTo } from "../../../lib/links.ts";
import { text } from "../../../texts/texts.ts";
import { linkToComparison } from "../comparison-link.ts";
import { goodTraceOf } from "../last-good-trace.queries.ts";
import { otlpText, saveOtlp } from "./otlp.ts";
import { traceWords } from "./panel-address.ts";
import styles from "./TracePanel.module.css";
import type { TraceFigures } from "./trace-state.ts";

interface TraceHeaderProps {
  readonly projectId: string;
  readonly trace: TraceFigures;
  readonly tree: TraceTree;
  /** It has calls of unknown cost. */
  readonly unknownCost: boolean;
  readonly navigation: PanelNavigation;
  readonly onNextError: () => void;
  /** Null where the review has a place of its own. */
  readonly onReview: (() => void) | null;
}

export function TraceHeader({
  projectId,
  trace,
  tree,
  unknownCost,
  navigation,
  onNextError,
  onReview,
}: TraceHeaderProps) {
  const root = tree.representative?.span ?? null;
  const tokens = trace.tokenCountTotal;
  const failure = failureWords(trace);
  const session = trace.session && {
    id: trace.session.sessionId,
    to: `${linkTo("session", { projectId, sessionId: trace.session.id })}?${new URLSearchParams({ [CHOSEN_TURN]: trace.traceId })}`,
  };
  return (
    <PanelHead
      sort={text("trace.title")}
      startTime={trace.startTime}
      name={root?.shownName || trace.traceId}
      mark={root !== null && <KindGlyph kind={root.kind} />}
      actions={
        <>
          {session !== null && (
            <span className={styles.wideOnly}>
              <LinkButton look="quiet" to={session.to} title={session.id}>
                {text("trace.session")}
              </LinkButton>
            </span>
          )}
          {onReview !== null && <IconButton label={text("review.open")} icon={<ClipboardCheck />} onClick={onReview} />}
          <MoreMenu projectId={projectId} trace={trace} session={session?.to ?? null} />
          <PanelButtons navigation={navigation} words={traceWords} />
        </>
      }
    >
      {failure !== null && (
        <Stat label={text("trace.status")}>
          <ErrorsButton title={text("trace.errors.next")} onClick={onNextError}>
            {failure === text("traces.failed") ? "" : `${failure} · `}
            {text("trace.errors", { count: trace.errorCount })}
          </ErrorsButton>
        </Stat>
      )}
      <Stat label={text("trace.latency")}>{formatDuration(trace.latencyMs)}</Stat>
      {tokens > 0 && (
        <Stat label={text("trace.tokens")} exact={formatCount(tokens)}>
          {text("trace.tokens.count", { count: formatCompact(tokens) })}
        </Stat>
      )}
      {(trace.costTotal !== null || unknownCost) && (
        <Stat opens label={text("costs.cost")}>
          <CostFigure id={trace.id} cost={trace.costTotal} unknown={unknownCost} />
        </Stat>
      )}
      {trace.userId !== null && (
        <Stat label={text("trace.user")} exact={trace.userId}>
          <UserName id={trace.userId} />
        </Stat>
      )}
    </PanelHead>
  );
}

interface MoreMenuProps extends Pick<TraceHeaderProps, "projectId" | "trace"> {
  /** Its address. */
  readonly session: string | null;
}

function MoreMenu({ projectId, trace, session }: MoreMenuProps) {
  const fail = (error: Error) => showToast(error.message, "error");
  const copy = async (value: string | Promise<string>) => {
    const done = await Promise.resolve(value).then(copyText, (error: Error) => error);
    if (done instanceof Error) fail(done);
    else showToast(text(done ? "trace.copied" : "trace.copy.failed"), done ? "plain" : "error");
  };
  const [, navigate] = useLocation();
  const compare = async () => {
    const good = await goodTraceOf(trace.id);
    if (good === null) showToast(text("traces.compare.good.none"));
    else navigate(linkToComparison(projectId, good, trace.id));
  };
  const addition = useAddToDataset({ kind: "trace", ids: [trace.id], matching: null });
  return (
    <>
      <Menu trigger={<IconButton label={text("trace.more")} icon={<Ellipsis />} />}>
        {session !== null && (
          <MenuLink to={session} icon={<MessagesSquare />}>
            {text("trace.session.open")}
          </MenuLink>
        )}
        {addition.open !== null && (
          <MenuItem icon={<ListPlus />} onSelect={addition.open}>
            {text("addition.add")}
          </MenuItem>
        )}
        <MenuItem icon={<Columns2 />} onSelect={() => void compare().catch(fail)}>
          {text("traces.compare.good")}
        </MenuItem>
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
      {addition.dialog}
    </>
  );
}
