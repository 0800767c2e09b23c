"""Parts of scripts/netlab; see docs/netlab.md."""
