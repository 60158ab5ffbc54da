// Properties of this device alone: how late its sound and its picture are, and when a frame is seen.

const read = (name) => {
  const value = Number(localStorage.getItem(name));
  return Number.isFinite(value) ? value : 0;
};

/** By how much this device is late, in s, remembered. A wireless loudspeaker delays the sound, a projector the picture. */
export const offsets = { sound: read("sound-offset"), picture: read("picture-offset") };

export function setOffset(kind, seconds) {
  offsets[kind] = Math.min(Math.max(seconds, -1), 1);
  localStorage.setItem(`${kind}-offset`, `${offsets[kind]}`);
}

let [frame, last] = [1000 / 60, 0];

/** How far ahead of the clock to draw, in ms. A frame that begins at `time` tells how long frames are. */
export function sight(time = last) {
  const passed = time - last;
  last = time;
  // Frames that were left out count little.
  if (passed > 3) frame += (Math.min(passed, 50) - frame) * (passed < frame * 1.5 ? 0.1 : 0.005);
  // Half a frame: a flash is then early as often as late, and by half a frame at most.
  return frame / 2 + offsets.picture * 1000;
}
