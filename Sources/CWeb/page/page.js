// The page: each module does one thing; this one starts them.

import "/choices.js";
import "/controls.js";
import "/lock.js";
import "/shelf.js";
import { connect, live, on, player, send } from "/connection.js";
import { draw } from "/picture.js";
import * as running from "/running.js";
import { Sound, Sounds } from "/sound.js";
import { showSoundControls, showVoices } from "/soundcontrols.js";

for (const kind of ["welcome", "running", "pace", "edited", "plan"]) on(kind, running.receive);
on("lost", running.lose);

live.sound = new Sound(player);
on("sounds", (message) => {
  live.sounds = new Sounds(message);
  showVoices(live.sound, live.sounds.voices);
});
on("state", () => {
  if (live.music && live.sounds) live.sound.follow(live.music, live.sounds);
});

running.start(send);
showSoundControls(live.sound, player);
connect();
requestAnimationFrame(draw);
