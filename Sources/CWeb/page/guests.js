// Who is connected, for a page with control: asked for every two seconds while the list is open.

import { on, send } from "/connection.js";
import { find, make } from "/elements.js";

const pace = 2000;
const list = find("guests");

function look() {
  if (!list.open || find("sheet").hidden) return;
  send("guests show");
}

list.addEventListener("toggle", look);
setInterval(look, pace);
on("lost", () => find("guest-list").replaceChildren());
on("guests", (message) => find("guest-list").replaceChildren(...message.guests.map((text) => make("li", {}, text))));
