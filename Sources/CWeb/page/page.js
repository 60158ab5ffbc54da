// The page: each module does one thing; this one starts them.

import "/choices.js";
import "/controls.js";
import "/sheet.js";
import "/shelf.js";
import "/guests.js";
import "/heard.js";
import "/running.js";
import { Sounds } from "/clickplan.js";
import { connect, live, on, player } from "/connection.js";
import { draw } from "/display.js";
import { Sound } from "/sound.js";
import { showSoundControls, showVoices } from "/soundcontrols.js";

live.sound = new Sound(player);
on("sounds", (message) => {
  live.sounds = new Sounds(message);
  showVoices(live.sound, live.sounds.voices);
});
on("state", () => {
  if (live.music && live.sounds) live.sound.follow(live.music, live.sounds);
});

// After a call, some browsers give the sound back only to a touch.
document.addEventListener("pointerdown", () => live.sound.wake());

showSoundControls(live.sound, player);
connect();
requestAnimationFrame(draw);
