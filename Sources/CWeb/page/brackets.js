// The time brackets that are open or come next in the line, each to scale, with its name and how it stands.

import { live, say } from "/connection.js";
import { find, make, put } from "/elements.js";
import { brackets, left, written } from "/music.js";

const most = 4;

export function drawBrackets(moment) {
  if (live.brackets.length === 0 || !moment.bar) return put("brackets", "");
  const line = live.music.line(moment.bar);
  if (line.length === 0) return put("brackets", "");
  const [begin, last] = [line[0].written, line[line.length - 1]];
  const length = last.written + last.length - begin;
  const here = written(moment.bar, Math.min(moment.position, moment.bar.start + moment.bar.duration));
  const shown = brackets(live.music, here, begin + length).slice(0, most);
  const rows = find("brackets");
  while (rows.children.length > shown.length) rows.lastChild.remove();
  while (rows.children.length < shown.length) {
    rows.append(make("div", {}, ...["may", "sounds", "ends"].map((name) => make("i", { class: name })), make("span")));
  }
  const share = (time) => Math.min(Math.max((time - begin) / length, 0), 1) * 100;
  shown.forEach((bracket, index) => {
    const row = rows.children[index];
    row.className = bracket.kind;
    bracket.edges.slice(0, 3).forEach((edge, part) => {
      const [from, to] = [share(edge), share(bracket.edges[part + 1])];
      row.children[part].style.left = `${from}%`;
      row.children[part].style.width = `${Math.max(to - from, 0)}%`;
    });
    const text = [say(bracket.kind, { name: bracket.name, seconds: left(bracket.left) }), bracket.cue].filter((word) => word).join("  ");
    if (row.lastChild.textContent !== text) row.lastChild.textContent = text;
  });
}
