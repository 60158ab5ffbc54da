"""The guides: Markdown as GitHub reads it, as HTML whose links lead to pages of the site."""
import html
import re
from pathlib import PurePosixPath

from markdown_it import MarkdownIt

READER = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])


def slug(heading, taken):
    """The anchor that GitHub gives a heading: a second one of the same name gets a number."""
    plain = "".join(character for character in heading.lower() if character.isalnum() or character in " -_")
    name = plain.replace(" ", "-")
    taken[name] = taken.get(name, -1) + 1
    return f"{name}-{taken[name]}" if taken[name] else name


def plain(inline):
    """The text of a heading without its markup."""
    return "".join(child.content for child in inline.children or [] if child.type in ("text", "code_inline"))


class Guide:
    """A Markdown file: its title, its HTML, and its headings of the second level as pairs of anchor and text."""

    def __init__(self, path, text, link):
        """`link` turns a target, as seen from the file, into one as seen from its page."""
        tokens = READER.parse(text)
        taken, self.headings, self.title = {}, [], PurePosixPath(path).stem
        for number, token in enumerate(tokens):
            if token.type == "heading_open":
                words = plain(tokens[number + 1])
                anchor = slug(words, taken)
                token.attrSet("id", anchor)
                if token.tag == "h1":
                    self.title = words
                elif token.tag == "h2":
                    self.headings.append((anchor, words))
            elif token.type == "html_block":
                token.content = self.relinked(token.content, link)
            for child in token.children or []:
                for name in ("href", "src"):
                    if target := child.attrGet(name):
                        child.attrSet(name, link(target))
                if child.type == "html_inline":
                    child.content = self.relinked(child.content, link)
        body = READER.renderer.render(tokens, READER.options, {})
        # A wide table scrolls by itself, so that the page does not.
        self.body = body.replace("<table>", '<div class="wide"><table>').replace("</table>", "</table></div>")

    @staticmethod
    def relinked(markup, link):
        return re.sub(r'\b(src|href|srcset)="([^"]*)"', lambda found: f'{found[1]}="{html.escape(link(found[2]))}"', markup)
