"""An agent of Google's ADK with a tool, its model scripted in the program."""

import asyncio
import os

from google.adk.agents import LlmAgent
from google.adk.models import BaseLlm, LlmResponse
from google.adk.runners import InMemoryRunner
from google.genai import types
from opentelemetry import trace
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor

provider = TracerProvider()
provider.add_span_processor(SimpleSpanProcessor(OTLPSpanExporter(os.environ["COLLECTOR_URL"] + "/v1/traces")))
trace.set_tracer_provider(provider)


def weather(city: str) -> dict:
    """The weather of a city."""
    return {"city": city, "weather": "rain"}


class Scripted(BaseLlm):
    async def generate_content_async(self, request, stream=False):
        asked = any(part.function_response for content in request.contents for part in content.parts)
        call = types.Part(function_call=types.FunctionCall(id="call-1", name="weather", args={"city": "Malmö"}))
        part = types.Part(text="It rains in Malmö.") if asked else call
        usage = types.GenerateContentResponseUsageMetadata(
            prompt_token_count=20, candidates_token_count=7, total_token_count=27, cached_content_token_count=5
        )
        yield LlmResponse(content=types.Content(role="model", parts=[part]), usage_metadata=usage)


async def run():
    agent = LlmAgent(name="weather_agent", model=Scripted(model="example-1"), instruction="Be brief.", tools=[weather])
    runner = InMemoryRunner(agent, app_name="weather")
    session = await runner.session_service.create_session(app_name="weather", user_id="user-1", session_id="session-1")
    question = types.Content(role="user", parts=[types.Part(text="How is the weather in Malmö?")])
    async for _ in runner.run_async(user_id="user-1", session_id=session.id, new_message=question):
        pass


asyncio.run(run())
provider.force_flush()
