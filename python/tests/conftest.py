# SPDX-License-Identifier: MIT
"""Random tests have a fixed seed and keep nothing between runs."""
import os

from hypothesis import settings

settings.register_profile("fixed", derandomize=True, database=None, deadline=None)
settings.register_profile("night", database=None, deadline=None, max_examples=2000)
settings.load_profile("night" if "GRAZE_RANDOM_SECONDS" in os.environ else "fixed")
