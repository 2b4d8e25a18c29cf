"""How the documentation becomes a site: `make docs` builds it into `build/docs`."""

from __future__ import annotations

import os
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "src")]
# Names and tables are read from the code, no match is played: nothing needs to be compiled.
os.environ["ZASHIKI_GEAR"] = "python"

import zashiki  # noqa: E402  # found only now

project = "Zashiki"
author = "The Zashiki authors"
version = release = zashiki.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "docs._ext.pages"]
exclude_patterns = ["_ext", "_static"]
myst_heading_anchors = 4
myst_enable_extensions = ["colon_fence"]
suppress_warnings = ["myst.header"]  # a rulebook inside a page begins lower
default_role = "code"  # docstrings are written as Markdown
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_preserve_defaults = True
python_use_unqualified_type_names = True

html_theme = "furo"
html_title = "Zashiki"
html_logo = html_favicon = "../web/public/favicon.svg"
html_static_path = ["_static"]
html_css_files = ["room.css"]
html_show_sourcelink = False
html_copy_source = False
html_show_copyright = False

LIGHT = {
    "color-background-primary": "#F4EDDD",
    "color-background-secondary": "#FBF7EC",
    "color-background-hover": "#E8DEC8",
    "color-background-border": "#CDBFA2",
    "color-foreground-primary": "#26221D",
    "color-foreground-secondary": "#5C5346",
    "color-foreground-muted": "#5C5346",
    "color-foreground-border": "#82755A",
    "color-brand-primary": "#A5301C",
    "color-brand-content": "#23456B",
    "color-brand-visited": "#23456B",
    "color-inline-code-background": "#E8DEC8",
    "color-code-background": "#FBF7EC",
    "color-highlight-on-target": "#F3E2B4",
    "color-table-header-background": "#E8DEC8",
    "color-sidebar-link-text": "#5C5346",
    "color-sidebar-link-text--top-level": "#26221D",
    "color-api-background": "#FBF7EC",
    "color-api-background-hover": "#E8DEC8",
}
DARK = {
    "color-background-primary": "#14181C",
    "color-background-secondary": "#1E242A",
    "color-background-hover": "#262C27",
    "color-background-border": "#3D454C",
    "color-foreground-primary": "#F0E7D3",
    "color-foreground-secondary": "#B5AB95",
    "color-foreground-muted": "#B5AB95",
    "color-foreground-border": "#7E8790",
    "color-brand-primary": "#EE7A5C",
    "color-brand-content": "#93B7DC",
    "color-brand-visited": "#93B7DC",
    "color-inline-code-background": "#262C27",
    "color-code-background": "#1E242A",
    "color-highlight-on-target": "#3A3420",
    "color-table-header-background": "#262C27",
    "color-sidebar-link-text": "#B5AB95",
    "color-sidebar-link-text--top-level": "#F0E7D3",
    "color-api-background": "#1E242A",
    "color-api-background-hover": "#262C27",
}
FONTS = {
    "font-stack": "'Alegreya Sans', 'Zen Kaku Gothic New', system-ui, sans-serif",
    "font-stack--headings": "Spectral, 'Shippori Mincho', Georgia, serif",
}
html_theme_options = {"light_css_variables": {**LIGHT, **FONTS}, "dark_css_variables": DARK}
