"""Makes takes of which every bar's time is known: fluidsynth plays a score's bars as a person would."""
import json, os, pathlib, struct, subprocess, wave

import numpy as np

RATE = 44100
FONT = "/usr/share/sounds/sf2/FluidR3_GM.sf2"
# Name: program, lowest and highest note, whether it is struck or plucked.
INSTRUMENTS = {
    "oboe": (68, 60, 84, False), "flute": (73, 62, 88, False), "violin": (40, 57, 86, False),
    "voice": (53, 55, 74, False), "piano": (0, 45, 84, True), "guitar": (24, 45, 74, True),
}
SCENES = {"dry": 10, "room 0.3 s": 5, "room 0.6 s": 5, "room 1 s": 5, "room 1.5 s": 5, "clicks": 10, "drone": 5, "both": 5}
TRAITS = ["plain", "wrong notes", "repeated notes", "stops"]
LOG = "index,label,nominal_s,heard_s,error_us,frame,rate_ppm,uncertainty_us,flags,line,bar"
SEQUENZA = [3, 2.7, 2, 2, 2, 2, 1.8, 1.5, 1.3, 1.3, 1, 1, 1]


def played_times(rng, bars, trait, follows):
    """The bars as they are played: (bar, time, end) each, where `end` is when its last note may sound until."""
    events, time, bar = [], float(rng.uniform(0.5, 1.5)), 0
    if follows:  # Beside the clicks, within what people do.
        start, error, silent = time, 0.0, set()
        if trait == "stops":
            first = int(rng.integers(5, len(bars) - 8))
            silent = set(range(first, first + int(rng.integers(2, 5))))
        grid = start + np.concatenate([[0], np.cumsum(bars)])
        errors = []
        for _ in range(len(grid)):
            error = 0.5 * error + rng.normal(0, 0.02)
            errors.append(error)
        return [(n, grid[n] + errors[n], grid[n + 1] + errors[n + 1]) for n in range(len(bars)) if n not in silent], start
    pace, stops = float(np.exp(rng.normal(0, 0.04))), []
    if trait == "stops":
        stops = sorted(rng.choice(np.arange(4, len(bars) - 4), size=2, replace=False).tolist())
    while bar < len(bars):
        pace *= float(np.exp(rng.normal(0, 0.01)))
        held = bars[bar] * pace * (1 + rng.normal(0, 0.025)) + rng.normal(0, 0.015)
        if rng.random() < 0.06:
            held *= 1 + rng.choice([-1, 1]) * rng.uniform(0.08, 0.2)
        if stops and bar == stops[0]:
            stops.pop(0)
            end = time + held * rng.uniform(0.3, 0.8)
            events.append((bar, time, end))
            time = end + float(rng.uniform(1.5, 5))
            draw = rng.random()
            bar = bar if draw < 0.4 else bar + 1 if draw < 0.5 else max(0, bar - int(rng.integers(1, 5)))
            continue
        events.append((bar, time, time + held))
        time, bar = time + held, bar + 1
    return events, None


def notes_of(rng, events, instrument, trait):
    """(time, end, key, velocity) of every note, the bars' first ones among them."""
    _, low, high, struck = INSTRUMENTS[instrument]
    notes, key = [], int(rng.integers(low, high))
    for _, time, end in events:
        starts = [time]
        inner = int(rng.choice([0, 1, 2, 3], p=[0.5, 0.25, 0.15, 0.1]))
        if trait == "wrong notes" and rng.random() < 0.4:
            inner += 1
        for at in sorted(rng.uniform(0.15, 0.9, size=inner)):
            if (at * (end - time)) > 0.12 and time + at * (end - time) - starts[-1] > 0.12:
                starts.append(time + at * (end - time))
        for n, start in enumerate(starts):
            stop = starts[n + 1] if n + 1 < len(starts) else end
            if not (trait == "repeated notes" and rng.random() < 0.5):
                step = int(rng.choice([-12, -7, -5, -4, -3, -2, -1, 1, 2, 3, 4, 5, 7, 12]))
                key = key + step if low <= key + step <= high else key - step
                key = min(max(key, low), high)
            # Legato, an ordinary gap, or short with a rest after it. The same note again needs a gap.
            share = float(rng.choice([1.0, 0.93, 0.6], p=[0.5, 0.35, 0.15]))
            stop = start + max(0.08, min((stop - start) * share, stop - start - 0.01))
            velocity = int(np.clip(rng.normal(88 if n == 0 else 78, 14), 40, 124))
            notes.append((start, stop, key, velocity))
    # One note at a time: a note that is repeated has a short gap before it.
    for n in range(len(notes) - 1):
        start, stop, key, velocity = notes[n]
        if notes[n + 1][2] == key:
            stop = min(stop, notes[n + 1][0] - 0.035)
        notes[n] = (start, max(stop, start + 0.05), key, velocity)
    return notes


def midi(notes, program, vibrato):
    """A Standard MIDI File with ticks of 20 microseconds."""
    def size(n):
        out = [n & 127]
        while n := n >> 7:
            out.append(n & 127 | 128)
        return bytes(reversed(out))
    events = [(0.0, 0, bytes([0xC0, program])), (0.0, 0, bytes([0xB0, 1, vibrato]))]
    for start, stop, key, velocity in notes:
        events += [(start, 2, bytes([0x90, key, velocity])), (stop, 1, bytes([0x80, key, 0]))]
    events.sort(key=lambda e: (e[0], e[1]))
    track, last = b"\0\xff\x51\x03" + (500000).to_bytes(3, "big"), 0
    for time, _, data in events:
        tick = round(time * 50000)
        track += size(tick - last) + data
        last = tick
    track += size(50000) + b"\xff\x2f\0"
    return b"MThd" + struct.pack(">IHHH", 6, 0, 1, 25000) + b"MTrk" + struct.pack(">I", len(track)) + track


def read(path):
    with wave.open(str(path)) as w:
        x = np.frombuffer(w.readframes(w.getnframes()), "<i2").reshape(-1, w.getnchannels()) / 32768
        return x.mean(axis=1), w.getframerate()


def write(path, x):
    x = np.clip(np.round(np.asarray(x) * 32767), -32768, 32767).astype("<i2")
    with wave.open(str(path), "wb") as w:
        w.setnchannels(1 if x.ndim == 1 else x.shape[1])
        w.setsampwidth(2)
        w.setframerate(RATE)
        w.writeframes(x.tobytes())


def convolve(x, h):
    n = 1 << int(np.ceil(np.log2(len(x) + len(h))))
    return np.fft.irfft(np.fft.rfft(x, n) * np.fft.rfft(h, n), n)[:len(x)]


def room(rng, seconds, direct=1.0):
    """The direct sound, early reflections and decaying noise, whose high notes die sooner."""
    n = int(RATE * seconds * 1.1)
    t = np.arange(n) / RATE
    tail = rng.normal(size=n) * 10 ** (-3 * t / seconds)
    tail[: int(0.012 * RATE)] = 0
    dull = np.exp(-np.arange(24) / 3.0)
    tail = np.convolve(tail, dull / dull.sum())[:n]
    tail *= rng.uniform(0.5, 0.9) / np.sqrt((tail ** 2).sum())
    for _ in range(6):
        tail[int(rng.uniform(0.002, 0.03) * RATE)] += rng.choice([-1, 1]) * rng.uniform(0.1, 0.3)
    tail[0] += direct
    return tail


def barline_sound(program, folder, score, speed, drone):
    """What Barline plays of the score, clicks or drone."""
    out = folder / f"own-{score.stem}.wav"
    options = ["--click-level", "off", "--drone", "B4"] if drone else ["--drone", "off"]
    environment = dict(os.environ, XDG_CONFIG_HOME=str(folder), XDG_STATE_HOME=str(folder))
    subprocess.run([program, "render", score, "-o", out, "--count-in", "off", "--rate", str(RATE), "--channels", "1",
                    "--markers", "off", *options], check=True, env=environment, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    x = read(out)[0]
    os.remove(out)
    return x


def make(folder, number, instrument, scene, program):
    """Makes one take: a WAV file, a score and a JSON file with the truth."""
    rng = np.random.default_rng(number)
    trait = TRAITS[number % 4]
    if number % 2 == (number // 4) % 2:
        bars = SEQUENZA * 2
    else:
        bars = [round(float(rng.choice([0.8, 1, 1.2, 1.5, 1.7, 2, 2.3, 2.5, 3, 3.6, 4, 5]) * rng.uniform(0.9, 1.1)), 1)
                for _ in range(24)]
    name = f"{number:03d}"
    score = folder / f"{name}.yaml"
    score.write_text("bars: %s\n" % json.dumps(bars))
    clicks, drone = scene in ("clicks", "both"), scene in ("drone", "both")
    events, start = played_times(rng, bars, trait, clicks or drone)
    notes = notes_of(rng, events, instrument, trait)
    program_number, _, _, struck = INSTRUMENTS[instrument]
    mid, raw = folder / f"{name}.mid", folder / f"{name}.raw.wav"
    mid.write_bytes(midi(notes, program_number, 0 if struck else int(rng.choice([0, 30, 70]))))
    subprocess.run(["fluidsynth", "-ni", "-q", "-g", "0.6", "-R", "0", "-C", "0", "-r", str(RATE), "-F", raw, FONT, mid],
                   check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    x = read(raw)[0]
    os.remove(raw), os.remove(mid)
    level = np.sqrt((x ** 2).mean())
    if scene.startswith("room"):
        x = convolve(x, room(rng, float(scene.split()[1])))
    alone = x.copy()
    for is_drone in [d for d, on in ((False, clicks), (True, drone)) if on]:
        own = barline_sound(program, folder, score, 1, is_drone)
        # A small loudspeaker at some meters: nothing below 300 Hz, and a room of 0.3 s.
        own = own - np.convolve(own, np.ones(147) / 147)[: len(own)]
        own = convolve(own, room(rng, 0.3, direct=0.7))
        peak = np.sqrt((own ** 2).mean()) if is_drone else np.abs(own).max() / 4
        own *= level * 10 ** (-rng.uniform(10, 22) / 20) / peak
        at = int(start * RATE) if start else 0
        n = min(len(own), len(x) - at)
        x[at : at + n] += own[:n]
    noise = rng.normal(size=len(x)) * level * 10 ** (-55 / 20)
    write(folder / f"{name}.wav", (x + noise) * 0.5 / np.abs(x + noise).max())
    if start is not None:
        # The same take with headphones, and the log that `play --record` would have written beside either.
        write(folder / f"{name}.alone.wav", (alone + noise) * 0.5 / np.abs(alone + noise).max())
        frames = start * RATE + np.concatenate([[0], np.cumsum(bars)[:-1]]) * RATE
        rows = [f"{n + 1},,0,0,0,{frame:.3f},0,0,,," for n, frame in enumerate(frames)]
        (folder / f"{name}.csv").write_text("\n".join([LOG, *rows]) + "\n")
    truth = dict(number=number, instrument=instrument, scene=scene, trait=trait, struck=struck, start=start,
                 bars=[dict(bar=bar + 1, time=time) for bar, time, _ in events],
                 notes=[dict(time=n[0], end=n[1], key=n[2]) for n in notes])
    (folder / f"{name}.json").write_text(json.dumps(truth))
    return truth


def plan(scale=1):
    """The takes' numbers, instruments and scenes; `scale` above 1 makes fewer of each."""
    rows, number = [], 0
    for scene, count in SCENES.items():
        for instrument in INSTRUMENTS:
            for n in range(count):
                if n % scale == 0:
                    rows.append((number, instrument, scene))
                number += 1
    return rows
