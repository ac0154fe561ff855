// The head of a session: which it is, how it went, and where to go from here.
import { Link2 } from "lucide-react";
import { CostFigure } from "../../domain/costs/Cost.tsx";
import { ErrorsButton, PanelHead, UserName } from "../../explorer/PanelHead.tsx";
import { PanelButtons, type PanelNavigation, type PanelTexts } from "../../explorer/panel-navigation.tsx";
import { Stat } from "../../explorer/Stat.tsx";
import { IconButton } from "../../kit/Button.tsx";
import { CopyButton, copyText } from "../../kit/CopyButton.tsx";
import { showToast } from "../../kit/Toast.tsx";
import { formatCompact, formatCount, formatDuration } from "../../lib/format.ts";
import { text } from "../../texts/texts.ts";
import { durationOf } from "./session-columns.tsx";
import type { SessionHead } from "./sessions.queries.ts";

export const sessionWords: PanelTexts = {
  group: "sessions.keys",
  previous: "sessions.previous",
  next: "sessions.next",
  close: "sessions.close",
};

interface SessionHeaderProps {
  readonly session: SessionHead;
  readonly navigation: PanelNavigation;
  readonly onNextError: () => void;
}

export function SessionHeader({ session, navigation, onNextError }: SessionHeaderProps) {
  const { sessionId, startTime, numTraces, numTracesWithError, userId, tokenUsage, costTotal, costOrigins } = session;
  const copyLink = async () => {
    const done = await copyText(location.href);
    showToast(text(done ? "trace.copied" : "trace.copy.failed"), done ? "plain" : "error");
  };
  return (
    <PanelHead
      sort={text("sessions.session")}
      startTime={startTime}
      name={sessionId}
      beside={<CopyButton value={sessionId} label={text("sessions.copy.id")} />}
      actions={
        <>
          <IconButton label={text("trace.copy.link")} icon={<Link2 />} onClick={() => void copyLink()} />
          <PanelButtons navigation={navigation} words={sessionWords} />
        </>
      }
    >
      {numTracesWithError > 0 && (
        <Stat label={text("sessions.errors")}>
          <ErrorsButton title={text("sessions.errors.next")} onClick={onNextError}>
            {text("sessions.errors.count", { count: numTracesWithError })}
          </ErrorsButton>
        </Stat>
      )}
      <Stat label={text("sessions.turns")}>{text("sessions.turns.count", { count: numTraces })}</Stat>
      <Stat label={text("sessions.duration")}>{formatDuration(durationOf(session))}</Stat>
      <Stat label={text("sessions.latency")}>
        {text("trace.repeats.p50", { time: formatDuration(session.traceLatencyMsQuantile) })}
      </Stat>
      {tokenUsage.total > 0 && (
        <Stat label={text("sessions.tokens")} exact={formatCount(tokenUsage.total)}>
          {text("trace.tokens.count", { count: formatCompact(tokenUsage.total) })}
        </Stat>
      )}
      {(costTotal !== null || costOrigins.unknown > 0) && (
        <Stat opens label={text("costs.cost")}>
          <CostFigure id={session.id} cost={costTotal} unknown={costOrigins.unknown > 0} />
        </Stat>
      )}
      {userId !== null && (
        <Stat label={text("sessions.user")}>
          <UserName id={userId} />
        </Stat>
      )}
    </PanelHead>
  );
}
