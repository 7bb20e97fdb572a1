"""The peers have an environment of their own (build/python-peers); what they share lies in this folder."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
