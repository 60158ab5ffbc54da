// The choices of sound on this device, remembered, and the test click by which its delays are set by ear.

import { parts } from "./clickplan.js";
import { askedVoice, say } from "/connection.js";
import { find, put } from "/elements.js";
import { light } from "/flash.js";
import { offsets, setOffset, sight } from "./device.js";

function press(id, isPressed) {
  find(id).setAttribute("aria-pressed", `${isPressed}`);
}

export function showSoundControls(sound, player) {
  for (const name of Object.keys(parts)) {
    const option = new Option("", name);
    option.dataset.say = `part${name[0].toUpperCase()}${name.slice(1)}`;
    find("part").append(option);
  }
  remember(sound, "part", "value", (part) => ({ part }));
  remember(sound, "counts", "value", (counts) => ({ counts: Number(counts) }));
  remember(sound, "drone", "checked", (drone) => ({ drone }));
  remember(sound, "volume", "value", (percent) => ({ volume: (percent / 100) ** 2 }));
  for (const kind of ["sound", "picture"]) {
    const field = find(`${kind}-offset`);
    field.value = Math.round(offsets[kind] * 1000);
    field.oninput = () => {
      if (!field.checkValidity() || field.value === "") return;
      setOffset(kind, field.valueAsNumber / 1000);
      sound.step();
    };
  }
  find("sound").onclick = () => (sound.isOn ? stop(sound) : start(sound));
  find("test").onclick = async () => {
    if (!sound.isOn) await start(sound);
    sound.isTest = !sound.isTest;
    press("test", sound.isTest);
    sound.step();
    if (sound.isTest) flash(sound, player, 0);
  };
}

/** Has the names of the voices to choose from; the first is voice 1. */
export function showVoices(sound, names) {
  const choice = find("voice");
  find("voices").hidden = names.length === 0;
  if ([...choice.options].slice(1).map((option) => option.text).join("\n") === names.join("\n")) return;
  choice.replaceChildren(new Option(say("allVoices"), "0"), ...names.map((name, n) => new Option(name, `${n + 1}`)));
  const take = () => sound.choose({ voice: Number(choice.value) });
  // An address for one player is stronger than what the device remembers.
  choice.value = `${names.indexOf(askedVoice() ?? localStorage.getItem("voice")) + 1}`;
  choice.onchange = () => {
    localStorage.setItem("voice", names[Number(choice.value) - 1] ?? "");
    take();
  };
  take();
}

function remember(sound, id, property, choice) {
  const field = find(id);
  const kept = localStorage.getItem(`own-${id}`);
  if (kept !== null) field[property] = property === "checked" ? kept === "true" : kept;
  if (id === "part" && !parts[field.value]) field.value = "player";
  const take = () => sound.choose(choice(field[property]));
  field.oninput = () => {
    localStorage.setItem(`own-${id}`, `${field[property]}`);
    take();
  };
  take();
}

async function start(sound) {
  // A browser without an output never begins: it is not kept waiting for.
  const isBegun = await Promise.race([
    sound.begin().then(() => true, () => false), new Promise((done) => setTimeout(() => done(false), 3000)),
  ]);
  sound.isRefused = !isBegun;
  if (!isBegun) {
    await sound.end().catch(() => undefined);
    return put("note", say("noOutput"));
  }
  press("sound", true);
}

async function stop(sound) {
  await sound.end();
  sound.isTest = false;
  press("sound", false);
  press("test", false);
}

/** Flashes at every whole second of the player's clock while the test click sounds. */
function flash(sound, player, second) {
  requestAnimationFrame(() => {
    if (!sound.isTest) return;
    const now = Math.floor(player.at(performance.now() + sight()));
    if (player.isKnown && now > second && second > 0) light("border");
    flash(sound, player, now);
  });
}
