"""The man pages as HTML, by mandoc."""
import re
import subprocess
from pathlib import Path


def pages(folder):
    """The name, the summary and the HTML of each man page in a folder; that of the program comes first."""
    for path in sorted(Path(folder).glob("*.1"), key=lambda path: (path.stem != "barline", path.stem)):
        run = subprocess.run(["mandoc", "-T", "html", "-O", "fragment,man=%N.html", str(path)], check=True, capture_output=True, text=True)
        summary = re.search(r"^\.Nd (.*)$", path.read_text(), flags=re.M)[1].replace("\\-", "-").replace("\\&", "")
        # mandoc's headings begin below a title that the page adds.
        body = re.sub(r'<table class="(head|foot)">.*?</table>', "", run.stdout, flags=re.S)
        body = re.sub(r"(</?)h([12])", lambda found: f"{found[1]}h{int(found[2]) + 1}", body)
        yield path.stem, summary, f"<h1>{path.stem.replace('-', ' ')}</h1>\n{body}"
