"""An agent of Strands with a tool."""

import os

from strands import Agent, tool
from strands.models.openai import OpenAIModel
from strands.telemetry import StrandsTelemetry

StrandsTelemetry().setup_otlp_exporter(endpoint=os.environ["COLLECTOR_URL"] + "/v1/traces")


@tool
def weather(city: str) -> str:
    """The weather of a city."""
    return f"{city}: rain"


model = OpenAIModel(model_id="example-1")
agent = Agent(
    model=model, name="weather_agent", tools=[weather], system_prompt="Be brief.", callback_handler=None,
    trace_attributes={"session.id": "session-1", "user.id": "user-1"},
)
agent("How is the weather in Malmö?")
from opentelemetry import trace

trace.get_tracer_provider().force_flush()
