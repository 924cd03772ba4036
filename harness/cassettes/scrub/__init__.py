"""What nobody may read is taken out before anything reaches the disk.

Secrets are replaced by as many bytes of another text, so that lengths (of chunks, of JSON documents, of base64 and of
event stream messages) stay true; checksums are computed again. What is scrubbed once is not changed by a second time.
"""

from harness.cassettes.scrub.exchange import Scrubber
from harness.cassettes.scrub.secrets import Secrets

__all__ = ["Scrubber", "Secrets"]
