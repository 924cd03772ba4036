"""The adapter in front of an endpoint that answers by hand-written deliveries."""

from typing import ClassVar

from harness.provider import Provider
from providers.litellm import PROVIDER
from tests.providers.openai import service


class Service(service.Service):
    """Gives ``deliveries`` one after the other, the last for ever."""

    provider: ClassVar[Provider] = PROVIDER
