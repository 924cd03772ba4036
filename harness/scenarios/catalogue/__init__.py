"""The catalogue: every named scenario, family by family."""

from typing import Final

from harness.scenarios.catalogue.errors import ERRORS
from harness.scenarios.catalogue.faults import FAULTS
from harness.scenarios.catalogue.guarding import GUARDING
from harness.scenarios.catalogue.life import LIFE
from harness.scenarios.catalogue.loop import LOOP
from harness.scenarios.catalogue.naming import NAMING
from harness.scenarios.catalogue.reading import READING
from harness.scenarios.catalogue.replies import REPLIES
from harness.scenarios.catalogue.requests import REQUESTS
from harness.scenarios.catalogue.retry import RETRIES
from harness.scenarios.catalogue.schemas import SCHEMAS
from harness.scenarios.catalogue.settings import SETTINGS
from harness.scenarios.catalogue.silence import SILENCES
from harness.scenarios.catalogue.sockets import SOCKETS
from harness.scenarios.catalogue.structured import STRUCTURED
from harness.scenarios.scenario import Scenario

CATALOGUE: Final[tuple[Scenario, ...]] = (
    *REPLIES,
    *ERRORS,
    *RETRIES,
    *FAULTS,
    *REQUESTS,
    *NAMING,
    *GUARDING,
    *SCHEMAS,
    *STRUCTURED,
    *LIFE,
    *SETTINGS,
    *LOOP,
    *SILENCES,
    *SOCKETS,
    *READING,
)
