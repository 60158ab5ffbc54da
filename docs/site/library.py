"""The documentation of the library as plain pages.

DocC's own pages are a program in JavaScript that needs a web server. The same content stands beside it as JSON: from that,
each article and each type becomes one page, with its members.
"""
import html
import json
from pathlib import Path

TITLE = "Barline for Swift programs"


class Library:
    def __init__(self, archive):
        data = Path(archive) / "data"
        self.nodes = {}
        for path in sorted((data / "documentation").rglob("*.json")):
            node = json.loads(path.read_text())
            self.nodes[node["identifier"]["url"]] = node
        self.root = next(url for url, node in self.nodes.items() if node["metadata"].get("role") == "collection")
        self.pages = {url: self.name(url) for url, node in self.nodes.items() if self.has_page(node)}
        self.used = set()

    @staticmethod
    def has_page(node):
        about = node["metadata"]
        return about.get("symbolKind") in ("struct", "enum", "class", "protocol", "module") or about.get("role") in ("article", "collection")

    def name(self, url):
        """The file of a page: the path of its type, such as score-bar.html."""
        if url == self.root:
            return "index.html"
        parts = url.removeprefix(self.root + "/").lower().replace("-swift.struct", "").replace("-swift.enum", "")
        return "".join(character if character.isalnum() else "-" for character in parts) + ".html"

    @staticmethod
    def anchor(url):
        return "".join(character if character.isalnum() else "-" for character in url.rsplit("/", 1)[1]).strip("-").lower()

    def address(self, url):
        """Where a type, an article or a member is described, as seen from a page of the library; None if nowhere."""
        if url in self.pages:
            return self.pages[url]
        owner = url
        while "/" in owner and owner not in self.pages:
            owner = owner.rsplit("/", 1)[0]
        return f"{self.pages[owner]}#{self.anchor(url)}" if url in self.nodes and owner in self.pages else None

    def inline(self, node, parts):
        out = []
        for part in parts:
            kind = part["type"]
            if kind == "text":
                out.append(html.escape(part["text"], quote=False))
            elif kind == "codeVoice":
                out.append(f"<code>{html.escape(part['code'], quote=False)}</code>")
            elif kind == "reference":
                found = node["references"].get(part["identifier"], {})
                words = html.escape(found.get("title", part["identifier"].rsplit("/", 1)[1]), quote=False)
                if found.get("kind") == "symbol":
                    words = f"<code>{words}</code>"
                target = self.address(part["identifier"]) or found.get("url")
                out.append(f'<a href="{html.escape(target)}">{words}</a>' if target and not target.startswith("/") else words)
            elif kind in ("emphasis", "strong"):
                tag = "em" if kind == "emphasis" else "strong"
                out.append(f"<{tag}>{self.inline(node, part['inlineContent'])}</{tag}>")
            else:
                raise ValueError(f"{node['identifier']['url']}: text of the kind {kind} is not known")
        return "".join(out)

    def blocks(self, node, parts, down=0):
        out = []
        for part in parts:
            kind = part["type"]
            if kind == "paragraph":
                out.append(f"<p>{self.inline(node, part['inlineContent'])}</p>")
            elif kind == "heading":
                level = min(part["level"] + down, 6)
                if not (down and part["text"] in ("Discussion", "Overview")):
                    out.append(f'<h{level} id="{html.escape(part["anchor"])}">{html.escape(part["text"], quote=False)}</h{level}>'
                               if not down else f"<h{level}>{html.escape(part['text'], quote=False)}</h{level}>")
            elif kind == "codeListing":
                out.append(f"<pre><code>{html.escape(chr(10).join(part['code']), quote=False)}\n</code></pre>")
            elif kind in ("unorderedList", "orderedList"):
                tag = "ul" if kind == "unorderedList" else "ol"
                items = "".join(f"<li>{self.blocks(node, item['content'], down)}</li>" for item in part["items"])
                out.append(f"<{tag}>{items}</{tag}>")
            elif kind == "aside":
                out.append(f"<blockquote><p><strong>{html.escape(part.get('name', part['style']))}</strong></p>{self.blocks(node, part['content'], down)}</blockquote>")
            elif kind == "table":
                rows = ["".join(f"<{'td' if number else 'th'}>{self.blocks(node, cell, down)}</{'td' if number else 'th'}>" for cell in row)
                        for number, row in enumerate(part["rows"])]
                out.append('<div class="wide"><table>' + "".join(f"<tr>{row}</tr>" for row in rows) + "</table></div>")
            else:
                raise ValueError(f"{node['identifier']['url']}: a block of the kind {kind} is not known")
        return "\n".join(out)

    def declaration(self, node):
        found = [one for section in node.get("primaryContentSections", []) if section["kind"] == "declarations" for one in section["declarations"]]
        text = "\n".join("".join(token["text"] for token in one["tokens"]) for one in found)
        return f'<pre class="declaration"><code>{html.escape(text, quote=False)}</code></pre>' if text else ""

    def described(self, node, down=0):
        """What is said about something, below its declaration."""
        out = [f"<p>{self.inline(node, node['abstract'])}</p>"] if node.get("abstract") else []
        for section in node.get("primaryContentSections", []):
            if section["kind"] == "content":
                out.append(self.blocks(node, section["content"], down))
            elif section["kind"] == "parameters":
                rows = "".join(f"<dt><code>{html.escape(one['name'])}</code></dt><dd>{self.blocks(node, one['content'], down)}</dd>" for one in section["parameters"])
                out.append(f"<dl>{rows}</dl>")
        return "\n".join(out)

    def topics(self, url, node):
        out = []
        for section in node.get("topicSections", []):
            listed = [one for one in section["identifiers"] if one in self.nodes]
            listed = [one for two in listed for one in self.within(two)]
            if not listed:
                continue
            out.append(f"<h2>{html.escape(section['title'])}</h2>")
            links = [one for one in listed if one in self.pages]
            if links:
                items = "".join(f'<dt><a href="{self.pages[one]}">{html.escape(self.nodes[one]["metadata"]["title"])}</a></dt>'
                                f"<dd>{self.inline(self.nodes[one], self.nodes[one].get('abstract', []))}</dd>" for one in links)
                out.append(f"<dl>{items}</dl>")
            for one in listed:
                if one not in self.pages:
                    member = self.nodes[one]
                    self.used.add(one)
                    out.append(f'<section class="member" id="{self.anchor(one)}"><h3><code>{html.escape(member["metadata"]["title"])}</code></h3>'
                               f"{self.declaration(member)}{self.described(member, 2)}</section>")
        return "\n".join(out)

    def within(self, url):
        """A topic as it is; a group of implementations as its members."""
        if self.nodes[url]["metadata"].get("role") != "collectionGroup":
            return [url]
        return [one for section in self.nodes[url].get("topicSections", []) for one in section["identifiers"] if one in self.nodes]

    def page(self, url):
        """The title of a page and its HTML."""
        node = self.nodes[url]
        title = TITLE if url == self.root else node["metadata"]["title"]
        kind = node["metadata"].get("roleHeading") if node["metadata"].get("role") == "symbol" else ""
        owner = url.rsplit("/", 1)[0]
        path = f'<p class="path"><a href="{self.pages[owner]}">{html.escape(self.nodes[owner]["metadata"]["title"])}</a></p>' if owner in self.pages else ""
        label = f'<p class="path">{html.escape(kind)}</p>' if kind else ""
        body = f"{path}<h1>{html.escape(title)}</h1>{label}{self.declaration(node)}{self.described(node)}{self.topics(url, node)}"
        return title, body
